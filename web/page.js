// What all pages share: the token, requests, announcements, and going to another address without loading the whole page.

const TOKEN = "mnemon-token";

// The token comes in the fragment of the address that the server printed. It is kept for this tab and leaves the address bar.
function takeToken() {
    const given = new URLSearchParams(location.hash.slice(1)).get("token");
    if (!given) return;
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(history.state, "", location.pathname + location.search);
}

takeToken();
addEventListener("hashchange", takeToken);

/** Says something to a screen reader. */
export function announce(text) {
    const region = document.getElementById("announce");
    region.textContent = "";
    // A text that is the same as before is read again only if it was gone in between.
    setTimeout(() => (region.textContent = text), 30);
}

/** Sends JSON and returns the answer; throws an error with the server's message. */
export async function post(address, body) {
    const token = sessionStorage.getItem(TOKEN);
    const headers = { "Content-Type": "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    const value = text ? JSON.parse(text) : {};
    if (!answer.ok) throw new Error(value.error?.message ?? `the server answered ${answer.status}`);
    return value;
}

/** Whether this tab may change something: it was opened by the address with the token. */
export const mayWrite = () => sessionStorage.getItem(TOKEN) !== null;

/** Shows an error where the user looks. */
export function showProblem(place, error) {
    place.textContent = error ? error.message : "";
    place.classList.toggle("problem", Boolean(error));
    if (error) announce(error.message);
}

let going = null;

/**
 * Goes to an address of the same page: fetches it, and puts its parts (the elements with `data-part`) in the place of
 * those that are here, so that the focus, a live search and half a note survive. Fires `page` when it is done; `isQuiet` if
 * the position is the same, so that there is nothing to announce.
 */
export async function go(address, { push = true, isQuiet = false } = {}) {
    going?.abort();
    const own = (going = new AbortController());
    let text;
    try {
        const answer = await fetch(address, { signal: own.signal });
        text = await answer.text();
        if (!answer.ok) throw new Error("refused");
    } catch (error) {
        // A newer step took its place, or the server is gone: then the browser itself says so.
        if (error.name !== "AbortError") location.assign(address);
        return;
    }
    if (push) history.pushState(null, "", address);
    replaceParts(new DOMParser().parseFromString(text, "text/html"));
    document.dispatchEvent(new CustomEvent("page", { detail: { isQuiet } }));
}

function replaceParts(fresh) {
    const focused = focusedPlace();
    document.title = fresh.title;
    for (const part of fresh.querySelectorAll("[data-part]")) {
        document.querySelector(`[data-part="${part.dataset.part}"]`)?.replaceWith(document.adoptNode(part));
    }
    document.dispatchEvent(new CustomEvent("parts"));
    restoreFocus(focused);
}

// Where the keyboard was: a square stays that square, a link of a part becomes the first one of the part that came instead.
function focusedPlace() {
    const element = document.activeElement;
    const part = element?.closest?.("[data-part]");
    return part && { part: part.dataset.part, square: element.dataset?.square, id: element.id };
}

function restoreFocus(place) {
    if (!place) return;
    const part = document.querySelector(`[data-part="${place.part}"]`);
    const same = place.id && document.getElementById(place.id);
    const square = place.square && part?.querySelector(`[data-square="${place.square}"]`);
    (same || square || part?.querySelector("a[href], button"))?.focus({ preventScroll: true });
}

addEventListener("popstate", () => go(location.pathname + location.search, { push: false }));

/** Makes links below an element with `data-go` change parts of the page only. */
export function followLinks() {
    document.addEventListener("click", (event) => {
        const link = event.target.closest?.("[data-part] a[href], a[data-go]");
        const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
        if (!link || !isPlain) return;
        const address = new URL(link.getAttribute("href"), location.href);
        if (address.origin !== location.origin || address.pathname !== location.pathname) return;
        event.preventDefault();
        go(address.pathname + address.search);
    });
}
