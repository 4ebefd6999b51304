// The memory's page.

import assert from "node:assert/strict";

export async function trust_is_given_by_mouse_and_taken_by_keys(browser, { demo }) {
    const page = await browser.page("/memory");
    await page.getByRole("button", { name: "Trust Bob" }).click();
    const taken = page.getByRole("button", { name: "Distrust Bob" });
    await taken.waitFor();
    assert.match(demo.run("memory", "contributors"), /Bob .* yes /);
    // The focus is still on the button, which does the opposite now.
    await page.waitForFunction(() => document.activeElement.matches("[data-trust]"));
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Trust Bob", exact: true }).waitFor();
    await page.context().close();
}

export async function it_shows_what_there_is(browser) {
    const page = await browser.page("/memory");
    const counts = page.getByRole("region", { name: "By game and source" });
    assert.match(await counts.innerText(), /chess\s+mnemon/);
    assert.match(await page.locator("#growth svg").getAttribute("aria-label"), /grew to [\d,]+ records/);
    const recent = page.getByRole("region", { name: "Recent work" });
    assert.ok((await recent.getByRole("row").count()) > 3);
    await recent.getByRole("link").first().click();
    await page.waitForURL(/\/chess\?fen=/);
    await page.locator("#board").waitFor();
    await page.context().close();
}
