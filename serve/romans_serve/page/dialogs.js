// Dialogs are closed by their button, or by a click outside of them.

import { get } from "./elements.js";

export const closable = (name) => {
  get(`${name}-close`).addEventListener("click", () => get(name).close());
  get(name).addEventListener("click", (event) => { if (event.target === get(name)) get(name).close(); });
};
