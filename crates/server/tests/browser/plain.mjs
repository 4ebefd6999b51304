// Without JavaScript: every page is right, and links and forms do.

import assert from "node:assert/strict";

const PLAIN = { javaScriptEnabled: false, token: false };

export async function chess_without_a_script(browser) {
    const page = await browser.page("/", PLAIN);
    assert.match(page.url(), /\/chess$/);
    assert.equal(await page.locator("#board [data-square]").count(), 64);
    assert.equal(await page.locator("#board .piece").count(), 32);
    await page.locator('[data-part="moves"] a', { hasText: "e4" }).first().click();
    assert.match(page.url(), /moves=e2e4$/);
    await page.getByText("Best by test.").waitFor();
    assert.ok((await page.locator('[data-part="lines"] .line a').count()) > 3, "lines");
    assert.ok((await page.locator('[data-part="tree"] li a').count()) > 3, "tree");
    assert.equal(await page.locator("#search-form, #note-form").filter({ visible: true }).count(), 0, "nothing that does nothing");
    await page.locator("#back").click();
    await page.locator("#forward").click();
    await page.locator("#flip").click();
    assert.equal(await page.locator("#board [data-square]").first().getAttribute("data-square"), "h1");
    await page.locator("#paste-text").fill("1. d4 d5 2. c4 *");
    await page.locator("#paste-form button").click();
    assert.match(page.url(), /moves=d2d4,d7d5,c2c4&at=0/);
    await page.context().close();
}

export async function what_is_wrong_is_said_on_a_page(browser) {
    browser.expected = 400;
    for (const address of ["/chess?fen=<script>alert(1)</script>", "/chess?moves=e2e5", "/connect4?pos=9"]) {
        const page = await browser.page(address, { token: false });
        await page.getByRole("heading", { name: "This cannot be shown" }).waitFor();
        await page.context().close();
    }
}

export async function connect_four_and_the_memory_without_a_script(browser) {
    const page = await browser.page("/connect4?pos=44444432223335", PLAIN);
    await page.locator(".columns a").first().click();
    assert.match(page.url(), /pos=444444322233351$/);
    await page.goto(new URL("/memory", page.url()).href);
    await page.getByText("Bob").first().waitFor();
    await page.locator("#growth svg").waitFor();
    await page.context().close();
}
