// The browser, and pages that are watched: an error on the console, a failed request, or one to another host fails the test.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { basename, join } from "node:path";

const FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

export class Browser {
    #require;
    #browser;
    #problems = [];
    /** The status that the test at hand provokes, if it does. */
    expected;

    /** `modules` is the folder in which npm has installed playwright-core and axe-core. */
    constructor(modules, chromium, server) {
        this.#require = createRequire(join(modules, "/"));
        this.chromium = chromium;
        this.server = server;
    }

    async open() {
        const { chromium } = this.#require("playwright-core");
        this.#browser = await chromium.launch({ executablePath: this.chromium, args: FLAGS });
    }

    /** A new page at an address of the server; with the token unless `options.token` is false. */
    async page(address, options = {}) {
        const { token = true, ...rest } = options;
        const context = await this.#browser.newContext({ viewport: { width: 1280, height: 900 }, ...rest });
        if (rest.javaScriptEnabled !== false) {
            await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: this.server.origin });
        }
        const page = await context.newPage();
        page.setDefaultTimeout(20_000);
        this.#watch(page);
        // While they are being written, the static files of a folder instead of the embedded ones.
        const folder = process.env.MNEMON_WEB;
        if (folder) await page.route("**/static/*", (route) => route.fulfill({ path: join(folder, basename(route.request().url())) }));
        await page.goto(this.server.origin + address + (token ? this.server.hash : ""));
        return page;
    }

    #watch(page) {
        const problem = (text) => this.#problems.push(`${page.url()}: ${text}`);
        page.on("console", (message) => {
            const isExpected = this.expected && message.text().includes(`status of ${this.expected}`);
            if (["error", "warning"].includes(message.type()) && !isExpected) problem(`console: ${message.text()}`);
        });
        page.on("pageerror", (error) => problem(`script: ${error.message}`));
        page.on("requestfailed", (request) => {
            // A step that a newer one replaced is given up by the page itself, and a stream ends with its page.
            const wasLeft = request.failure()?.errorText === "net::ERR_ABORTED";
            if (!wasLeft) problem(`failed: ${request.url()} ${request.failure()?.errorText}`);
        });
        page.on("response", (response) => {
            if (response.status() >= 400 && response.status() !== this.expected) problem(`${response.status()}: ${response.url()}`);
        });
        page.on("request", (request) => {
            if (new URL(request.url()).origin !== this.server.origin) problem(`foreign request: ${request.url()}`);
        });
    }

    /** What the accessibility check says of the page as it stands. */
    async checkAccess(page) {
        await page.addScriptTag({ path: this.#require.resolve("axe-core/axe.min.js") }).catch(() => {
            throw new Error("axe cannot be added");
        });
        const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        const violations = found.violations.map(
            ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
        );
        assert.deepEqual(violations, [], page.url());
    }

    /** Throws what the pages complained of since the last time. */
    checkProblems() {
        const problems = this.#problems.splice(0);
        assert.deepEqual(problems, []);
    }

    async close() {
        await this.#browser?.close();
    }
}
