// Chess by mouse.

import assert from "node:assert/strict";

import { GAME } from "./demo.mjs";

const piece = (page, square) => page.locator(`[data-square="${square}"] .piece`);

async function middle(page, square) {
    const box = await page.locator(`[data-square="${square}"] rect`).first().boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
}

async function drag(page, from, to) {
    await page.mouse.move(...(await middle(page, from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(page, to)), { steps: 5 });
    await page.mouse.up();
}

export async function moves_are_dragged_and_clicked(browser) {
    const page = await browser.page("/chess");
    assert.ok((await page.locator("#board .arrow").count()) >= 1, "arrows");
    await drag(page, "e2", "e4");
    await page.waitForURL(/moves=e2e4$/);
    assert.equal(await piece(page, "e4").count(), 1);
    assert.equal(await piece(page, "e2").count(), 0);
    await page.waitForFunction(() => /e4\s+Black to move/.test(document.getElementById("announce").textContent));
    await page.mouse.click(...(await middle(page, "e7")));
    assert.equal(await page.locator(".target").count(), 2, "two squares to go to");
    await page.mouse.click(...(await middle(page, "e5")));
    await page.waitForURL(/moves=e2e4,e7e5$/);
    // Where no legal move ends, nothing happens.
    await drag(page, "g1", "g4");
    assert.match(page.url(), /moves=e2e4,e7e5$/);
    assert.equal(await piece(page, "g1").count(), 1);
    await page.context().close();
}

export async function a_pawn_is_promoted(browser) {
    const page = await browser.page("/chess?fen=8/P6k/8/8/8/8/8/K7_w_-_-_0_1");
    await drag(page, "a7", "a8");
    await page.getByRole("dialog", { name: "Promote to" }).getByRole("button", { name: "Rook" }).click();
    await page.waitForURL(/moves=a7a8r$/);
    await page.locator('[data-square="a8"][aria-label="white rook on a8"]').waitFor();
    await page.context().close();
}

export async function the_table_of_moves_says_all(browser) {
    const page = await browser.page("/chess?moves=e2e4");
    const first = page.locator('[data-part="moves"] tbody tr').first();
    const [move, score, bar, depth, reply, source, age] = await first.locator("td").all();
    assert.match(await move.innerText(), /^[a-hNBRQKO]/);
    assert.match(await score.innerText(), /[+-]\d\.\d\d/);
    assert.equal(await bar.locator("svg").count(), 1);
    assert.match(await depth.innerText(), /\d/);
    assert.match(await reply.innerText(), /\w/);
    assert.match(await source.innerText(), /mnemon/);
    assert.match(await age.innerText(), /just now|minute/);
    await page.getByText("not believed").first().waitFor();
    await page.locator('[data-part="moves"] summary').click();
    await move.locator("a").click();
    await page.waitForURL(/moves=e2e4,\w+$/);
    await page.goBack();
    await page.waitForURL(/moves=e2e4$/);
    await page.locator('[data-square="e4"][aria-label="white pawn on e4"]').waitFor();
    await page.context().close();
}

export async function lines_play_on_the_board(browser) {
    const page = await browser.page("/chess?moves=e2e4");
    const moves = page.locator('[data-part="lines"] .line').last().locator("a");
    const last = moves.nth(2);
    await last.hover();
    await page.locator("#board.preview").waitFor();
    const shown = await page.locator("#board .piece").count();
    const uci = await last.getAttribute("data-last");
    assert.equal(await piece(page, uci.slice(2, 4)).count(), 1);
    await page.mouse.move(5, 5);
    await page.locator("#board:not(.preview)").waitFor();
    assert.ok(shown <= (await page.locator("#board .piece").count()));
    await last.click();
    await page.waitForURL((url) => url.searchParams.get("moves")?.split(",").length === 4);
    await page.context().close();
}

export async function the_tree_unfolds_and_folds(browser) {
    const page = await browser.page("/chess");
    const closed = page.locator('[data-part="tree"] button.fold[aria-expanded="false"]').first();
    const name = await closed.getAttribute("aria-label");
    const button = page.getByRole("button", { name, exact: true }).first();
    const item = page.locator("li", { has: page.locator(`:scope > button[aria-label="${name}"]`) }).first();
    await closed.click();
    await item.locator("ul > li").first().waitFor();
    await button.click();
    await item.locator("ul > li").first().waitFor({ state: "hidden" });
    await button.click();
    await item.locator("ul a").first().click();
    await page.waitForURL(/moves=\w+,\w+/);
    await page.context().close();
}

export async function a_game_is_pasted_and_its_graph_leads_through_it(browser) {
    const page = await browser.page("/chess");
    await page.locator("#paste-text").fill("nonsense");
    browser.expected = 400;
    await page.getByRole("button", { name: "Show" }).click();
    await page.locator("#paste-state.problem").waitFor();
    await page.locator("#paste-text").fill(GAME);
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/at=0/);
    assert.equal(await page.locator(".graph a").count(), 34);
    await page.locator(".graph a").nth(12).click();
    await page.waitForURL(/at=12/);
    await page.locator('[data-square="f6"][aria-label="black knight on f6"]').waitFor();
    await page.locator(".game a", { hasText: "Rd8#" }).click();
    await page.getByRole("heading", { name: /Checkmate/ }).waitFor();
    await page.locator("#back").click();
    await page.waitForURL(/at=32/);
    await page.locator("#first").click();
    await page.waitForURL(/at=0/);
    await page.locator("#copy-pgn").click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const pgn = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(pgn, /16\. ?Qb8\+ Nxb8 17\. ?Rd8#/);
    await page.locator("#copy-fen").click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("rnbqkbnr/pppppppp/8/8/8/8/"));
    await page.locator("#paste-text").fill("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByRole("heading", { name: /Stalemate/ }).waitFor();
    await page.locator("#flip").click();
    await page.locator('#board[data-flipped="true"]').waitFor();
    await page.context().close();
}

export async function notes_are_written_and_taken_back(browser) {
    const page = await browser.page("/chess?moves=d2d4");
    await page.locator("#note-text").fill("A <b>quiet</b> move.");
    await page.locator("#note-by").fill("Grace");
    await page.getByRole("button", { name: "Keep the note" }).click();
    const note = page.locator(".note", { hasText: "A <b>quiet</b> move." });
    await note.waitFor();
    assert.match(await note.innerText(), /Grace/);
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("Nobody wrote a note").waitFor();
    await page.context().close();
}

export async function a_search_runs_live_and_is_remembered(browser) {
    const page = await browser.page("/chess?moves=c2c4");
    await page.locator("#search-engine").selectOption("second");
    await page.locator("#search-lines").selectOption("2");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.locator("#iteration-rows tr").nth(5).waitFor();
    await page.locator("#iteration-rows .line a").first().hover();
    await page.locator("#board.preview").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("#search-state", { hasText: "Best is" }).waitFor();
    // What was found is in the tables without loading the page, and comes from memory the next time.
    await page.locator('[data-part="lines"] .line a').first().waitFor();
    await page.locator('[data-part="history"] tbody tr').first().waitFor();
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.locator("#iteration-rows tr.remembered .tag").first().waitFor();
    // A search goes with the board.
    await page.locator('[data-part="moves"] a').first().click();
    await page.waitForURL(/moves=c2c4,\w+$/);
    await page.waitForFunction(() => document.getElementById("search-state").textContent.includes("is searching"));
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("#search-state", { hasText: "Best is" }).waitFor();
    await page.context().close();
}

export async function without_the_token_nothing_is_changed(browser) {
    const page = await browser.page("/chess?moves=d2d4", { token: false });
    await page.locator("#note-text").fill("Not mine to write");
    browser.expected = 401;
    await page.getByRole("button", { name: "Keep the note" }).click();
    await page.locator("#note-state.problem").waitFor();
    assert.equal(await page.locator(".note").count(), 0);
    const isSaid = () => document.getElementById("announce").textContent === document.getElementById("note-state").textContent;
    await page.waitForFunction(isSaid);
    await page.context().close();
}
