// The memory's page: trust is given and taken, and the growth of a large memory is drawn when it is there.

import { announce, followLinks, go, post, showProblem } from "./page.js";

document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button[data-trust]");
    if (!button) return;
    const { contributor, trust } = button.dataset;
    try {
        await post("/api/v1/trust", { contributor, trusted: trust === "true" });
        await go(location.pathname, { push: false });
        announce(trust === "true" ? "Trusted" : "Not trusted any more");
    } catch (error) {
        showProblem(document.getElementById("trust-state"), error);
    }
});

async function drawGrowth() {
    if (!document.getElementById("growth-link")) return;
    const answer = await fetch("/memory/growth");
    if (!answer.ok) return;
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("growth").replaceChildren(...parsed.body.childNodes);
}

followLinks();
drawGrowth();
