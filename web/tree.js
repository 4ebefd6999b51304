// The tree: branches unfold and fold; what was not there yet is fetched.

/** Makes the buttons of the tree work, also those that come later. */
export function unfoldTree() {
    document.addEventListener("click", (event) => {
        const button = event.target.closest?.("button.fold");
        if (button) toggle(button);
    });
}

async function toggle(button) {
    const item = button.closest("li");
    const isOpen = button.getAttribute("aria-expanded") === "true";
    let list = item.querySelector(":scope > ul");
    if (!isOpen && !list) {
        const answer = await fetch(button.dataset.tree);
        if (!answer.ok) return;
        const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
        list = parsed.querySelector("ul");
        if (!list) return;
        // Another click may have been quicker.
        if (!item.querySelector(":scope > ul")) item.append(document.adoptNode(list));
    }
    if (list) list.hidden = isOpen;
    button.setAttribute("aria-expanded", String(!isOpen));
}
