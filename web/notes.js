// Writing a note on the position.

import { go, mayWrite, post, showProblem } from "./page.js";

/** Makes the form of notes work; without the token it says where that is. */
export function keepNotes() {
    const form = document.getElementById("note-form");
    if (!form) return;
    const [text, by, state] = ["note-text", "note-by", "note-state"].map((id) => document.getElementById(id));
    if (!mayWrite()) state.textContent = "To write, open the address that 'mnemon serve' printed.";
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const position = document.getElementById("board").dataset.fen;
        try {
            await post("/api/v1/note", { game: "chess", position, text: text.value, by: by.value || undefined });
            text.value = "";
            showProblem(state, null);
            await go(location.pathname + location.search, { push: false });
            state.textContent = "Kept.";
        } catch (error) {
            showProblem(state, error);
        }
    });
}
