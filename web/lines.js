// Lines that play on the board: a move under the pointer or the focus shows the position after it, and the arrow keys go along.

export class Lines {
    #board;
    #fen;
    #last;
    #shown = null;

    /** `fen` and `last` are the page's own position and the move that led to it. */
    constructor(board, fen, last) {
        this.#board = board;
        this.#fen = fen;
        this.#last = last;
    }

    /** The pointer or the focus is at this element. */
    over(target) {
        const link = target?.closest?.("a[data-fen]") ?? null;
        if (link === this.#shown) return;
        this.#shown?.classList.remove("shown");
        this.#shown = link;
        if (link) {
            link.classList.add("shown");
            this.#board.draw(link.dataset.fen, link.dataset.last ?? link.dataset.uci);
        } else {
            this.#board.draw(this.#fen, this.#last);
        }
        this.#board.isPreview = Boolean(link);
    }

    /** Left and right go along the line that has the focus, up and down to the next one. */
    key(event) {
        const line = event.target.closest?.(".line");
        if (!line || event.ctrlKey || event.metaKey || event.altKey) return;
        const moves = [...line.querySelectorAll("a")];
        const at = moves.indexOf(event.target);
        const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: moves.length - 1 }[event.key];
        const lines = [...document.querySelectorAll(".line")];
        const other = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        const target = other ? lines[lines.indexOf(line) + other]?.querySelector("a") : moves[step];
        if (step === undefined && !other) return;
        event.preventDefault();
        target?.focus();
    }
}
