// The chess page: the board to move on, keys, copying, and the panels that need a script.

import { announce, followLinks, go } from "./page.js";
import { Board } from "./board.js";
import { askPromotion } from "./promotion.js";
import { Lines } from "./lines.js";
import { unfoldTree } from "./tree.js";
import { LiveSearch } from "./search.js";
import { keepNotes } from "./notes.js";
import { readPasted } from "./paste.js";

let board;
let lines;

const moveLinks = () => [...document.querySelectorAll('[data-part="moves"] a[data-uci]')];
const linkOf = (uci) => document.querySelector(`[data-part="moves"] a[data-uci="${uci}"]`);

/** Plays a move of the board: follows its link. */
async function play(from, to) {
    const promotions = moveLinks().filter((link) => link.dataset.uci.startsWith(from + to));
    let link = promotions[0];
    if (promotions.length > 1) {
        const letter = await askPromotion(to[1] === "8" ? "white" : "black");
        link = letter && linkOf(from + to + letter);
        board.square(from)?.focus();
    }
    if (!link) return;
    // The piece stands there at once; the server's page is a moment later.
    board.draw(link.dataset.fen, link.dataset.uci);
    go(link.getAttribute("href"));
}

function connectBoard() {
    const svg = document.getElementById("board");
    board = new Board(svg, () => moveLinks().map((link) => link.dataset.uci), play);
    lines = new Lines(board, svg.dataset.fen, lastMove(svg));
}

const lastMove = (svg) => [...svg.querySelectorAll(".square.last")].map((square) => square.dataset.square).join("");

// The arrow keys go through the line of play, where they do not mean something else.
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "final", f: "flip" };

function followKeys() {
    document.addEventListener("keydown", (event) => {
        const id = KEYS[event.key];
        const isTyping = event.target.closest?.("input, textarea, select, dialog, .line, #board, [data-part=graph]");
        if (!id || isTyping || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        const link = document.getElementById(id);
        event.preventDefault();
        if (link.hasAttribute("href")) go(link.getAttribute("href"));
    });
}

function copyTexts() {
    document.addEventListener("click", async (event) => {
        const button = event.target.closest?.("[data-copy]");
        if (!button) return;
        const what = button.id === "copy-fen" ? "FEN" : "PGN";
        try {
            await navigator.clipboard.writeText(button.dataset.copy);
            button.textContent = "Copied";
            announce(`${what} copied`);
        } catch {
            button.textContent = "Not copied";
            announce("The browser does not let the page copy");
        }
        setTimeout(() => (button.textContent = `Copy ${what}`), 1500);
    });
}

function showCurrentMove() {
    const game = document.querySelector('[data-part="game"]');
    const current = game?.querySelector("[aria-current]");
    if (current) game.scrollTop = current.offsetTop - game.offsetTop - game.clientHeight / 2;
}

connectBoard();
followLinks();
followKeys();
copyTexts();
unfoldTree();
keepNotes();
readPasted();
showCurrentMove();
const search = new LiveSearch();
// What the pointer or the focus goes over is shown on the board.
document.addEventListener("pointerover", (event) => lines.over(event.target));
document.addEventListener("focusin", (event) => lines.over(event.target));
document.addEventListener("focusout", () => lines.over(document.activeElement));
document.addEventListener("keydown", (event) => lines.key(event));
document.addEventListener("parts", connectBoard);
document.addEventListener("page", ({ detail }) => {
    if (!detail.isQuiet) announce(document.getElementById("heading").dataset.announce);
    showCurrentMove();
    search.follow();
});
