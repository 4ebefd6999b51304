// Chess by keyboard alone, and what a screen reader hears.

import assert from "node:assert/strict";

const focused = (page) => page.evaluate(() => document.activeElement.dataset.square ?? document.activeElement.textContent);

async function press(page, ...keys) {
    for (const key of keys) await page.keyboard.press(key);
}

/** Presses Tab until an element that matches has the focus. */
async function tabTo(page, selector) {
    for (let step = 0; step < 120; step += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
    }
    assert.fail(`Tab does not reach ${selector}`);
}

const heard = (page, pattern) =>
    page.waitForFunction((source) => new RegExp(source).test(document.getElementById("announce").textContent), pattern.source);

export async function moves_are_made_by_keys(browser) {
    const page = await browser.page("/chess");
    await press(page, "Tab");
    assert.equal(await focused(page), "Skip to the content");
    await tabTo(page, "[data-square]");
    assert.equal(await focused(page), "e1");
    await press(page, "ArrowUp");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "white pawn on e2");
    await press(page, "Enter");
    assert.equal(await page.locator('[data-square="e2"]').getAttribute("aria-selected"), "true");
    await press(page, "Escape");
    assert.equal(await page.locator(".chosen").count(), 0);
    await press(page, "Enter", "ArrowUp", "ArrowUp", "Space");
    await page.waitForURL(/moves=e2e4$/);
    await heard(page, /1\.e4\s+Black to move/);
    await page.waitForFunction(() => document.activeElement.dataset.square === "e4");
    await press(page, "Home");
    assert.equal(await focused(page), "a4");
    await page.context().close();
}

export async function a_pawn_is_promoted_by_keys(browser) {
    const page = await browser.page("/chess?fen=8/P6k/8/8/8/8/8/K7_w_-_-_0_1");
    await page.locator('[data-square="a7"]').focus();
    await press(page, "Enter", "ArrowUp", "Enter");
    await page.getByRole("dialog").waitFor();
    await press(page, "Tab", "Tab", "Tab", "Enter");
    await page.waitForURL(/moves=a7a8[qrbn]$/);
    await page.context().close();
}

export async function arrow_keys_go_through_the_game(browser) {
    const page = await browser.page("/chess?moves=e2e4,e7e5,g1f3");
    for (const [key, at] of [["ArrowLeft", /at=2/], ["ArrowLeft", /at=1/], ["ArrowRight", /at=2/], ["Home", /at=0/], ["End", /g1f3$/]]) {
        await press(page, key);
        await page.waitForURL(at);
    }
    await press(page, "f");
    await page.waitForURL(/flip=1/);
    await page.context().close();
}

export async function lines_are_played_by_arrow_keys(browser) {
    const page = await browser.page("/chess?moves=e2e4");
    await tabTo(page, '[data-part="lines"] .line a');
    await page.locator("#board.preview").waitFor();
    const first = await focused(page);
    await press(page, "ArrowDown");
    const second = page.locator('[data-part="lines"] .line').nth(1);
    await press(page, "ArrowRight");
    assert.equal(await focused(page), await second.locator("a").nth(1).textContent());
    const uci = await second.locator("a").nth(1).getAttribute("data-last");
    assert.equal(await page.locator(`[data-square="${uci.slice(2, 4)}"] .piece`).count(), 1);
    await press(page, "ArrowLeft", "ArrowUp");
    assert.equal(await focused(page), first);
    await page.context().close();
}

export async function tree_notes_and_search_are_used_by_keys(browser) {
    const page = await browser.page("/chess?moves=e2e4");
    await tabTo(page, '#search-start');
    await press(page, "Enter");
    await page.locator("#iteration-rows tr").first().waitFor();
    // When the search has ended, the tables are drawn anew.
    await page.evaluate(() => {
        window.drawn = new Promise((resolve) => document.addEventListener("page", () => resolve(), { once: true }));
    });
    await tabTo(page, "#search-stop");
    await press(page, "Enter");
    await heard(page, /Best is/);
    await page.evaluate(() => window.drawn);
    await tabTo(page, 'button.fold[aria-expanded="true"]');
    await press(page, "Enter");
    await page.waitForFunction(() => document.activeElement.getAttribute("aria-expanded") === "false");
    await press(page, "Space");
    await page.waitForFunction(() => document.activeElement.getAttribute("aria-expanded") === "true");
    await tabTo(page, "#note-text");
    await page.keyboard.type("By keys alone.");
    await tabTo(page, "#note-form [type=submit]");
    await press(page, "Enter");
    await page.locator(".note", { hasText: "By keys alone." }).waitFor();
    await tabTo(page, "#paste-text");
    await page.keyboard.type("startpos moves d4");
    await press(page, "Tab", "Enter");
    await page.waitForURL(/moves=d2d4$/);
    await page.context().close();
}

export async function the_board_is_a_grid_with_names(browser) {
    const page = await browser.page("/chess?moves=g1f3");
    const grid = page.getByRole("grid", { name: "Chess board, Black to move" });
    assert.equal(await grid.getByRole("row").count(), 8);
    assert.equal(await grid.getByRole("gridcell").count(), 64);
    await grid.getByRole("gridcell", { name: "white knight on f3" }).waitFor();
    await page.getByRole("group", { name: "Moves of the game" }).waitFor();
    await page.context().close();
}
