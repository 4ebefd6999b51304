// The question which piece a pawn becomes.

const SVG = "http://www.w3.org/2000/svg";
const PIECES = [["q", "Queen"], ["r", "Rook"], ["b", "Bishop"], ["n", "Knight"]];

/** Asks; the answer is a letter, or null if the dialog was left. */
export function askPromotion(color) {
    const dialog = document.createElement("dialog");
    dialog.setAttribute("aria-label", "Promote to");
    const choices = document.createElement("div");
    choices.className = "choices";
    dialog.append(choices);
    document.body.append(dialog);
    return new Promise((resolve) => {
        for (const [letter, name] of PIECES) choices.append(choice(letter, name, color, () => dialog.close(letter)));
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(dialog.returnValue || null);
        });
        dialog.showModal();
    });
}

function choice(letter, name, color, chosen) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-label", name);
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 100 100");
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("class", `piece ${color}`);
    use.setAttribute("href", `#${letter}`);
    svg.append(use);
    button.append(svg);
    button.addEventListener("click", chosen);
    return button;
}
