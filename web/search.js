// A live search: iterations arrive as events, and those that the memory knew already are marked.

import { announce, go, mayWrite, post, showProblem } from "./page.js";

const byId = (id) => document.getElementById(id);

export class LiveSearch {
    #id = null;
    #events = null;
    #position = null;
    // Kept when the search that is listened to has ended.
    #ended = Promise.resolve();
    #resolveEnded = () => {};

    constructor() {
        const form = byId("search-form");
        if (!form) return;
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.start();
        });
        byId("search-stop").addEventListener("click", () => this.stop());
        addEventListener("pagehide", () => this.#events?.close());
        this.#prepare();
    }

    /** Leaves out what the server does not allow, and finds a search of this position that is still running. */
    async #prepare() {
        const answer = await fetch("/api/v1/status");
        if (!answer.ok) return;
        const { searches, limits } = await answer.json();
        for (const select of ["search-time", "search-lines"]) {
            const most = select === "search-time" ? limits.seconds : limits.lines;
            for (const option of [...byId(select).options]) if (Number(option.value) > most) option.remove();
        }
        if (!mayWrite()) this.#say("To search, open the address that 'mnemon serve' printed.");
        const running = searches.find((search) => search.state === "running" && search.position === this.#current());
        if (running) this.#listen(running);
    }

    #current() {
        return byId("board").dataset.fen;
    }

    #say(text) {
        showProblem(byId("search-state"), null);
        byId("search-state").textContent = text;
    }

    async start() {
        await this.stop();
        try {
            const search = await post("/api/v1/search", {
                game: "chess",
                // With the moves before it, so that the engine knows of repetitions.
                position: document.querySelector("[data-line]").dataset.line,
                engine: byId("search-engine").value || undefined,
                lines: Number(byId("search-lines").value),
                seconds: Number(byId("search-time").value),
            });
            byId("iteration-rows").replaceChildren();
            announce("Search started");
            this.#listen(search);
        } catch (error) {
            showProblem(byId("search-state"), error);
        }
    }

    #listen(search) {
        this.#id = search.id;
        this.#ended = new Promise((resolve) => (this.#resolveEnded = resolve));
        this.#position = this.#current();
        byId("iterations").hidden = false;
        byId("search-stop").disabled = false;
        this.#say(`${search.engine} is searching …`);
        const events = (this.#events = new EventSource(`/api/v1/search/${encodeURIComponent(search.id)}/events`));
        events.addEventListener("line", (event) => this.#line(JSON.parse(event.data)));
        events.addEventListener("done", (event) => this.#done(JSON.parse(event.data)));
        events.addEventListener("error", () => {
            if (events.readyState === EventSource.CLOSED && this.#events === events) this.#end("The connection was lost.");
        });
    }

    /** The newest iteration stands on top. */
    #line(line) {
        const row = document.createElement("tr");
        if (line.from === "memory") row.className = "remembered";
        const score = line.score?.text.replace(/^= /, "").replace(">=", "≥").replace("<=", "≤") ?? "–";
        row.append(cell(line.depth, "number"), cell(score, "number"), cell(nodes(line.nodes), "number minor"), this.#moves(line));
        const rows = byId("iteration-rows");
        rows.prepend(row);
        while (rows.children.length > 200) rows.lastChild.remove();
    }

    #moves(line) {
        const place = document.createElement("td");
        if (line.from === "memory") {
            const tag = document.createElement("span");
            tag.className = "tag";
            tag.textContent = "from memory";
            place.append(tag, " ");
        }
        const moves = document.createElement("span");
        moves.className = "moves line";
        moves.append(...(line.moves ?? []).flatMap((step) => [this.#link(step), " "]));
        place.append(moves);
        return place;
    }

    /** The moves of the line play on the board; a click goes to the position. */
    #link(step) {
        const link = document.createElement("a");
        link.href = `/chess?fen=${step.position.replaceAll(" ", "_")}`;
        link.dataset.go = "";
        link.dataset.fen = step.position;
        link.dataset.last = step.uci;
        link.textContent = step.text;
        return link;
    }

    async #done(event) {
        const best = event.best ? `Best is ${event.best.text}. ` : "";
        const learned = event.learned ? `Learned: ${event.learned.added} new records, ${event.learned.changed} better ones.` : "";
        const isHere = this.#position === this.#current();
        this.#end(event.state === "failed" ? (event.message ?? "The search failed.") : `${best}${learned}`);
        // What was learned is in the tables now.
        if (isHere) await go(location.pathname + location.search, { push: false, isQuiet: true });
    }

    #end(text) {
        this.#events?.close();
        this.#events = null;
        this.#id = null;
        byId("search-stop").disabled = true;
        this.#say(text);
        announce(text);
        this.#resolveEnded();
    }

    /** Stops the search, and waits for its end: an engine searches one position at a time. */
    async stop() {
        if (!this.#id) return;
        try {
            await post(`/api/v1/search/${encodeURIComponent(this.#id)}/stop`, {});
            await this.#ended;
        } catch (error) {
            showProblem(byId("search-state"), error);
        }
    }

    /** The page went to another position: a running search goes there, too. */
    async follow() {
        if (this.#id && this.#position !== this.#current()) await this.start();
    }
}

function cell(text, className) {
    const made = document.createElement("td");
    made.className = className;
    made.textContent = text;
    return made;
}

function nodes(count) {
    if (count === undefined || count === null) return "–";
    if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
    return count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count);
}
