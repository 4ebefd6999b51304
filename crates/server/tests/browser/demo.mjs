// A memory to look at, made by the program itself, and the server that shows it.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A game with the evaluations of its comments. */
export const GAME = `[Event "Opera"]
[White "Morphy"]
[Black "Duke and Count"]

1. e4 {[%eval 0.3]} e5 {[%eval 0.25]} 2. Nf3 {[%eval 0.3]} d6 {[%eval 0.6]} 3. d4 {[%eval 0.5]} Bg4 {[%eval 1.2]} 4. dxe5 {[%eval 1.1]}
Bxf3 {[%eval 1.2]} 5. Qxf3 dxe5 6. Bc4 {[%eval 1.3]} Nf6 {[%eval 2.6]} 7. Qb3 {[%eval 2.5]} Qe7 8. Nc3 {[%eval 2.0]} c6 9. Bg5 b5 {[%eval 4.1]}
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O {[%eval 4.6]} Rd8 13. Rxd7 Rxd7 14. Rd1 {[%eval 6.0]} Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`;

export class Demo {
    #folder = mkdtempSync(join(tmpdir(), "mnemon-page-"));
    #program;
    #server;

    constructor(program) {
        this.#program = program;
    }

    run(...args) {
        const memory = join(this.#folder, "demo.mnemon");
        return execFileSync(this.#program, args, { encoding: "utf8", env: { ...process.env, MNEMON_MEMORY: memory } });
    }

    /** Some searched positions, a note, advice, and what came from somebody else's memory. */
    make() {
        const analyze = (...args) => this.run("analyze", "--nodes", "8000", "--multipv", "3", "--learning", "tree", ...args);
        analyze("startpos");
        analyze("startpos", "moves", "e4");
        analyze("startpos", "moves", "e4", "e5", "Nf3");
        const others = join(this.#folder, "others.mnemon");
        analyze("--memory", others, "startpos", "moves", "e4");
        this.run("memory", "label", "--memory", others, "Bob");
        this.run("memory", "merge", others);
        this.run("memory", "note", "--by", "Ada", "startpos", "moves", "e4", "Best by test.");
    }

    /** Starts the server; resolves to its address, with the token in the fragment. */
    serve() {
        const engine = `${this.#program} uci`;
        const args = ["serve", "--listen", "127.0.0.1:0", "--engine", `mnemon=${engine}`, "--engine", `second=${engine}`];
        const env = { ...process.env, MNEMON_MEMORY: join(this.#folder, "demo.mnemon") };
        this.#server = spawn(this.#program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
        return new Promise((resolve, reject) => {
            this.#server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
            createInterface({ input: this.#server.stdout }).on("line", (line) => {
                const address = /http:\/\/\S+#token=\w+/.exec(line);
                if (address) resolve(new URL(address[0]));
            });
        });
    }

    /** Ends the server, which must end by itself on the signal, and deletes the memory. */
    async end() {
        if (this.#server?.exitCode === null) {
            const ended = new Promise((resolve) => this.#server.once("exit", resolve));
            this.#server.kill("SIGINT");
            const timer = setTimeout(() => this.#server.kill("SIGKILL"), 10_000);
            const code = await ended;
            clearTimeout(timer);
            if (code !== 0) throw new Error(`the server ended with ${code}`);
        }
        rmSync(this.#folder, { recursive: true, force: true });
    }
}
