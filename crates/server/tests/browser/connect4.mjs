// Connect Four against the perfect player.

import assert from "node:assert/strict";

/** A position in which every column is solved in a moment. */
const POSITION = "44444432223335";

/** The numbers under the columns; none under a full one. */
const scores = async (page) => (await page.locator(".columns a b").allInnerTexts()).map(Number);

export async function every_column_has_its_score(browser, { demo }) {
    const page = await browser.page(`/connect4?pos=${POSITION}`);
    await page.locator('[data-complete="true"]').waitFor();
    const said = JSON.parse(demo.run("solve", "--all", "--json", "--", POSITION));
    const expected = said.columns.filter((score) => score !== null);
    assert.deepEqual(await scores(page), expected);
    assert.match(await page.locator(".verdict").innerText(), /(wins|loses) in \d+ moves?|can draw/);
    await page.locator(".columns .best").first().waitFor();
    // The second answer needs no solving: the page comes complete.
    const again = await (await page.request.get(page.url())).text();
    assert.match(again, /data-complete="true"/);
    await page.context().close();
}

export async function it_is_played_by_mouse(browser) {
    const page = await browser.page(`/connect4?pos=${POSITION}`);
    await page.getByRole("link", { name: "Yellow" }).click();
    await page.waitForURL(/solver=second/);
    const box = await page.locator("#holes").boundingBox();
    // Into the first column; the perfect player answers.
    await page.mouse.click(box.x + box.width * 0.08, box.y + box.height / 2);
    await page.waitForURL((url) => url.searchParams.get("pos").length === POSITION.length + 2);
    assert.ok(page.url().includes(`pos=${POSITION}1`));
    await page.getByRole("link", { name: "Undo" }).click();
    await page.waitForURL((url) => url.searchParams.get("pos") === POSITION);
    await page.getByRole("link", { name: "Nobody" }).click();
    await page.waitForURL((url) => !url.searchParams.has("solver"));
    await page.getByRole("link", { name: "Play the best move" }).click();
    await page.waitForURL((url) => url.searchParams.get("pos").length === POSITION.length + 1);
    await page.context().close();
}

export async function it_is_played_by_keys_to_the_end(browser) {
    const page = await browser.page("/connect4?pos=121212");
    await page.keyboard.press("1");
    await page.getByRole("heading", { name: "Red wins" }).waitFor();
    assert.equal(await page.locator(".winning").count(), 4);
    await page.waitForFunction(() => document.getElementById("announce").textContent.includes("Four in a row"));
    await page.keyboard.press("Backspace");
    await page.waitForURL(/pos=121212$/);
    await page.locator("#column-1").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.id), "column-2");
    await page.keyboard.press("Enter");
    await page.waitForURL(/pos=1212122$/);
    await page.context().close();
}
