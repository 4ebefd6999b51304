// Light or dark, before anything is drawn: as the system has it, or as the button chose. No module, so that nothing flashes.
(() => {
    "use strict";
    const root = document.documentElement;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const chosen = () => {
        try {
            return localStorage.getItem("theme");
        } catch {
            return null;
        }
    };
    const apply = () => {
        const theme = chosen() ?? (system.matches ? "dark" : "light");
        root.dataset.theme = theme;
        const button = document.getElementById("theme");
        if (button) button.textContent = theme === "dark" ? "Light" : "Dark";
    };
    root.classList.add("js");
    apply();
    system.addEventListener("change", apply);
    document.addEventListener("DOMContentLoaded", () => {
        apply();
        document.getElementById("theme").addEventListener("click", () => {
            const next = root.dataset.theme === "dark" ? "light" : "dark";
            try {
                localStorage.setItem("theme", next);
            } catch {
                // A browser without storage shows the theme for this page only.
            }
            root.dataset.theme = next;
            document.getElementById("theme").textContent = next === "dark" ? "Light" : "Dark";
        });
    });
})();
