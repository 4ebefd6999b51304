// How it looks: three sizes, light and dark, without sideways scrolling and without a violation of the accessibility rules.

import assert from "node:assert/strict";
import { join } from "node:path";

import { GAME } from "./demo.mjs";

const SIZES = { phone: { width: 390, height: 844 }, tablet: { width: 820, height: 1180 }, desktop: { width: 1440, height: 900 } };

/** Where the accessibility is checked: each size differs from the other in what wraps, each theme in its contrasts. */
const CHECKED = ["desktop light", "phone dark"];

async function gameAddress(browser) {
    const answer = await fetch(`${browser.server.origin}/chess/read`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text: GAME }),
    });
    return (await answer.json()).address.replace("at=0", "at=1");
}

export async function three_sizes_in_light_and_dark(browser, { pictures }) {
    const pages = { chess: await gameAddress(browser), connect4: "/connect4?pos=44444432223335", memory: "/memory" };
    for (const colorScheme of ["light", "dark"]) {
        for (const [size, viewport] of Object.entries(SIZES)) {
            for (const [name, address] of Object.entries(pages)) {
                // The policy forbids scripts that are not the server's own, and the check is one.
                const page = await browser.page(address, { viewport, colorScheme, bypassCSP: true });
                if (name === "connect4") await page.locator('[data-complete="true"]').waitFor();
                const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
                assert.ok(inner <= outer, `${name} at ${size} is ${inner} wide`);
                await page.screenshot({ path: join(pictures, `${name}-${size}-${colorScheme}.png`) });
                if (CHECKED.includes(`${size} ${colorScheme}`)) await browser.checkAccess(page);
                await page.context().close();
            }
        }
    }
}

export async function the_button_changes_the_theme_for_good(browser) {
    const page = await browser.page("/chess", { colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.locator("#theme").click();
    const dark = await ground();
    assert.notEqual(light, dark);
    await page.reload();
    assert.equal(await ground(), dark);
    await page.locator("#theme").click();
    assert.equal(await ground(), light);
    await page.context().close();
}
