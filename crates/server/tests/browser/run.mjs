// The page in a real browser: everything that it can do is done once as a person would, by mouse and by keyboard.
//
//     node run.mjs MNEMON MODULES CHROMIUM [PICTURES]
//
// MODULES is the folder in which npm has installed package.json; screenshots go to the folder PICTURES.

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

import { Browser } from "./browser.mjs";
import { Demo } from "./demo.mjs";
import * as byKeyboard from "./keyboard.mjs";
import * as byMouse from "./mouse.mjs";
import * as connectFour from "./connect4.mjs";
import * as memory from "./memory.mjs";
import * as looks from "./looks.mjs";
import * as plain from "./plain.mjs";

const [program, modules, chromium, pictures = join(modules, "pictures")] = process.argv.slice(2);
const only = process.env.ONLY;
mkdirSync(pictures, { recursive: true });

const demo = new Demo(resolve(program));
let failed = 0;
let browser;
try {
    demo.make();
    browser = new Browser(resolve(modules), chromium, await demo.serve());
    await browser.open();
    for (const suite of [plain, byMouse, byKeyboard, connectFour, memory, looks]) {
        for (const [name, test] of Object.entries(suite)) await run(name, test);
    }
} catch (error) {
    failed += 1;
    console.log(error);
} finally {
    await browser?.close();
    await demo.end();
}
console.log(failed === 0 ? "the page works" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function run(name, test) {
    if (only && !name.includes(only)) return;
    const start = Date.now();
    try {
        await test(browser, { demo, pictures: resolve(pictures) });
        browser.checkProblems();
        console.log(`ok   ${name} (${Date.now() - start} ms)`);
    } catch (error) {
        failed += 1;
        console.log(`FAIL ${name}\n${error.stack}`);
        try {
            browser.checkProblems();
        } catch (more) {
            console.log(more.message);
        }
    }
    browser.expected = undefined;
}
