// Writing a note on the position.

import { go, mayWrite, post, showProblem } from "./page.js";

/** Makes the form of notes work; without the token it says where that is. */
export function keepNotes() {
    const form = document.getElementById("note-form");
    if (!form) return;
    const [text, by, state] = ["note-text", "note-by", "note-state"].map((id) => document.getElementById(id));
    if (!mayWrite()) state.textContent = "To write, open the address that 'mnemon serve' printed.";
    const keep = async (words, said) => {
        const position = document.getElementById("board").dataset.fen;
        try {
            await post("/api/v1/note", { game: "chess", position, text: words, by: by.value || undefined });
            text.value = "";
            showProblem(state, null);
            await go(location.pathname + location.search, { push: false, isQuiet: true });
            state.textContent = said;
        } catch (error) {
            showProblem(state, error);
        }
    };
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (text.value.trim()) keep(text.value, "Kept.");
        else showProblem(state, new Error("A note needs words."));
    });
    // Without words, the server takes this person's note back.
    document.getElementById("note-back").addEventListener("click", () => keep("", "Taken back."));
}
