// The board as something to move on: by dragging, by two clicks, and by the keyboard. It knows no rules: the moves that can be
// played are the links of the page, each with its move in `data-uci`.

const SVG = "http://www.w3.org/2000/svg";

const element = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
};

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

export class Board {
    #svg;
    #play;
    #moves;
    #chosen = null;
    #drag = null;

    /** `moves()` gives the legal moves as UCI texts; `play(from, to)` is called for one of them. */
    constructor(svg, moves, play) {
        this.#svg = svg;
        this.#moves = moves;
        this.#play = play;
        this.#makeFocusable();
        svg.addEventListener("pointerdown", (event) => this.#down(event));
        svg.addEventListener("pointermove", (event) => this.#move(event));
        svg.addEventListener("pointerup", (event) => this.#up(event));
        svg.addEventListener("pointercancel", () => this.#endDrag());
        svg.addEventListener("keydown", (event) => this.#key(event));
        svg.addEventListener("focusin", (event) => this.#focused(event.target));
        svg.addEventListener("focusout", () => this.#svg.querySelector(".focus-ring")?.remove());
    }

    /** Whether the board looks from Black's side. */
    get isFlipped() {
        return this.#svg.dataset.flipped === "true";
    }

    square(name) {
        return this.#svg.querySelector(`[data-square="${name}"]`);
    }

    /** One square can be reached by Tab; arrow keys go on from there. */
    #makeFocusable() {
        const squares = [...this.#svg.querySelectorAll("[data-square]")];
        for (const square of squares) square.setAttribute("tabindex", "-1");
        const first = this.square("e1") ?? squares[0];
        first.setAttribute("tabindex", "0");
    }

    #focused(square) {
        if (!square.dataset?.square) return;
        for (const other of this.#svg.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
        square.setAttribute("tabindex", "0");
        this.#svg.querySelector(".focus-ring")?.remove();
        if (!square.matches(":focus-visible")) return;
        const { x, y } = this.#corner(square);
        this.#svg.append(element("rect", { class: "focus-ring", x: x + 4, y: y + 4, width: 92, height: 92, rx: 6 }));
    }

    #corner(square) {
        const rect = square.querySelector("rect");
        return { x: Number(rect.getAttribute("x")), y: Number(rect.getAttribute("y")) };
    }

    // Choosing and moving

    #targets(from) {
        return this.#moves().filter((uci) => uci.startsWith(from)).map((uci) => uci.slice(2, 4));
    }

    choose(name) {
        this.unchoose();
        const targets = this.#targets(name);
        if (targets.length === 0) return false;
        this.#chosen = name;
        this.square(name).classList.add("chosen");
        this.square(name).setAttribute("aria-selected", "true");
        for (const target of new Set(targets)) this.#mark(target);
        return true;
    }

    #mark(name) {
        const square = this.square(name);
        const { x, y } = this.#corner(square);
        const isCapture = square.querySelector(".piece") !== null;
        const mark = { class: isCapture ? "target capture" : "target", cx: x + 50, cy: y + 50, r: isCapture ? 43 : 15 };
        square.append(element("circle", mark));
    }

    unchoose() {
        if (this.#chosen) this.square(this.#chosen)?.removeAttribute("aria-selected");
        this.#chosen = null;
        for (const square of this.#svg.querySelectorAll(".chosen")) square.classList.remove("chosen");
        for (const mark of this.#svg.querySelectorAll(".target")) mark.remove();
    }

    /** A square was chosen by a click or a key: the end of a move, or the beginning of one. */
    #select(name) {
        const from = this.#chosen;
        if (from === name) return this.unchoose();
        if (from && this.#targets(from).includes(name)) {
            this.unchoose();
            this.#play(from, name);
        } else {
            this.choose(name);
        }
    }

    // The pointer

    #point(event) {
        const box = this.#svg.getBoundingClientRect();
        const scale = 800 / box.width;
        return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
    }

    #squareAt({ x, y }) {
        const [column, row] = [Math.floor(x / 100), Math.floor(y / 100)];
        if (column < 0 || column > 7 || row < 0 || row > 7) return null;
        const [file, rank] = this.isFlipped ? [7 - column, row] : [column, 7 - row];
        return "abcdefgh"[file] + (rank + 1);
    }

    #down(event) {
        if (event.button !== 0) return;
        const at = this.#point(event);
        const name = this.#squareAt(at);
        const piece = name && this.square(name).querySelector(".piece");
        if (!piece || this.#targets(name).length === 0) return;
        event.preventDefault();
        this.#drag = { name, piece, at, ghost: null, wasChosen: this.#chosen === name };
        this.#svg.setPointerCapture(event.pointerId);
    }

    #move(event) {
        const drag = this.#drag;
        if (!drag) return;
        const at = this.#point(event);
        if (!drag.ghost && Math.hypot(at.x - drag.at.x, at.y - drag.at.y) < 12) return;
        if (!drag.ghost) {
            drag.ghost = drag.piece.cloneNode();
            drag.piece.classList.add("lifted");
            this.#svg.append(drag.ghost);
            this.choose(drag.name);
        }
        drag.ghost.setAttribute("x", at.x - 50);
        drag.ghost.setAttribute("y", at.y - 50);
    }

    #up(event) {
        const name = this.#squareAt(this.#point(event));
        const drag = this.#drag;
        this.#endDrag();
        if (!drag?.ghost) {
            if (name) this.#select(name);
        } else if (name && name !== drag.name && this.#targets(drag.name).includes(name)) {
            this.unchoose();
            this.#play(drag.name, name);
        } else {
            this.unchoose();
        }
    }

    #endDrag() {
        this.#drag?.ghost?.remove();
        this.#drag?.piece.classList.remove("lifted");
        this.#drag = null;
    }

    // The keyboard

    #key(event) {
        const name = event.target.dataset?.square;
        if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
        const steps = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
        if (steps[event.key]) {
            const turn = this.isFlipped ? -1 : 1;
            const [dx, dy] = steps[event.key].map((step) => step * turn);
            this.#focus(name.charCodeAt(0) - 97 + dx, Number(name[1]) - 1 + dy);
        } else if (event.key === "Home") {
            this.#focus(this.isFlipped ? 7 : 0, Number(name[1]) - 1);
        } else if (event.key === "End") {
            this.#focus(this.isFlipped ? 0 : 7, Number(name[1]) - 1);
        } else if (event.key === "Enter" || event.key === " ") {
            this.#select(name);
        } else if (event.key === "Escape") {
            this.unchoose();
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    #focus(file, rank) {
        const clamped = (value) => Math.max(0, Math.min(7, value));
        this.square("abcdefgh"[clamped(file)] + (clamped(rank) + 1)).focus();
    }

    // What is drawn

    /** Draws another position, of which nothing but the placement of the pieces is known; `last` is the move that led there. */
    draw(fen, last) {
        const pieces = placement(fen);
        for (const square of this.#svg.querySelectorAll("[data-square]")) {
            const name = square.dataset.square;
            square.querySelector(".piece")?.remove();
            square.classList.toggle("last", Boolean(last) && (last.slice(0, 2) === name || last.slice(2, 4) === name));
            const letter = pieces.get(name);
            if (letter) square.append(this.#piece(square, letter));
            square.setAttribute("aria-label", label(name, letter));
        }
    }

    #piece(square, letter) {
        const { x, y } = this.#corner(square);
        const color = letter === letter.toUpperCase() ? "white" : "black";
        const href = `#${letter.toLowerCase()}`;
        return element("use", { class: `piece ${color}`, href, x, y, width: 100, height: 100 });
    }

    /** Marks the board as showing what is not the page's own position. */
    set isPreview(on) {
        this.#svg.classList.toggle("preview", on);
    }
}

function placement(fen) {
    const pieces = new Map();
    fen.split(" ")[0].split("/").forEach((rank, down) => {
        let file = 0;
        for (const letter of rank) {
            if (/\d/.test(letter)) file += Number(letter);
            else pieces.set("abcdefgh"[file++] + (8 - down), letter);
        }
    });
    return pieces;
}

function label(name, letter) {
    if (!letter) return name;
    const color = letter === letter.toUpperCase() ? "white" : "black";
    return `${color} ${NAMES[letter.toLowerCase()]} on ${name}`;
}
