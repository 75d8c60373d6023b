// Light or dark: as the browser has it, until the button says otherwise.

import { get } from "./elements.js";
import { kept } from "./storage.js";

export const startTheme = () => {
  const root = document.documentElement, chosen = kept.get("theme");
  if (chosen) root.dataset.theme = chosen;
  get("theme").addEventListener("click", () => {
    const now = root.dataset.theme;
    const isDark = now ? now === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    kept.set("theme", root.dataset.theme);
  });
};
