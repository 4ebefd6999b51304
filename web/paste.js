// A pasted FEN or PGN: the server says which address it is.

import { go, post, showProblem } from "./page.js";

/** Makes the form work without loading the whole page, and for games that are too long for an address as a text. */
export function readPasted() {
    const form = document.getElementById("paste-form");
    const [text, state] = ["paste-text", "paste-state"].map((id) => document.getElementById(id));
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        try {
            const { address } = await post("/chess/read", { text: text.value });
            showProblem(state, null);
            text.value = "";
            await go(address);
        } catch (error) {
            showProblem(state, error);
        }
    });
}
