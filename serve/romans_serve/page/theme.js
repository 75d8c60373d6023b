// The light or dark theme: that of the browser, until the button changes it.

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
