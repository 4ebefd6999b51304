// Connect Four: stones fall without loading the page, unsolved columns are asked for again, and the perfect player answers.

import { announce, followLinks, go } from "./page.js";

const part = () => document.querySelector('[data-part="connect4"]');
const here = () => location.pathname + location.search;

/** Asks again while a column has no score, then lets the perfect player move if it is his turn. */
async function goOn() {
    const { complete, turn } = part().dataset;
    if (complete !== "true") {
        await go(here(), { push: false });
    } else if (turn === "solver") {
        document.getElementById("best")?.click();
    }
}

function followKeys() {
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (/^[1-7]$/.test(event.key)) document.getElementById(`column-${event.key}`)?.click();
        else if (event.key === "Backspace") document.getElementById("undo")?.click();
        else if (event.key === "ArrowLeft" || event.key === "ArrowRight") moveFocus(event);
        else return;
    });
}

/** Left and right go from column to column. */
function moveFocus(event) {
    const links = [...document.querySelectorAll(".columns a")];
    const at = links.indexOf(document.activeElement);
    if (at < 0) return;
    event.preventDefault();
    links[at + (event.key === "ArrowLeft" ? -1 : 1)]?.focus();
}

let last = "";
document.addEventListener("page", () => {
    const text = document.getElementById("heading").dataset.announce;
    if (text !== last) announce((last = text));
    goOn();
});
followLinks();
followKeys();
goOn();
