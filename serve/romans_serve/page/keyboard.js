// Playing a game with the keyboard.

import { get } from "./elements.js";
import { reach, step } from "./roving.js";

const SAME_NUMBER = 900;

// Args: keys, functions for other keys, by the name of the key.
export const startKeyboard = (table, keys) => {
  let typed = "", typedAt = 0;
  const digit = (key) => {
    const now = performance.now();
    const find = (number) => get("answers").querySelector(`button[data-number="${Number(number)}"]`);
    typed = now - typedAt < SAME_NUMBER ? typed + key : key;
    typedAt = now;
    if (!find(typed)) typed = key;
    const button = find(typed);
    if (!button) return;
    reach(get("answers"), button);
    button.focus();
  };

  const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  document.addEventListener("pointerdown", () => { table.isSteered = false; });
  document.addEventListener("keydown", (event) => {
    table.isSteered = true;
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== "checkbox") return;
    // In a scrollable area, the arrow keys scroll.
    if (target.matches?.("#log, .sheet, .scroll") && key in steps) return;
    const action = /^\d$/.test(key) && table.isAsked() ? () => digit(key)
      : key in steps ? () => step(target.closest?.(".spots") || get("answers"), steps[key])
        : keys[key] || keys[key.toLowerCase()];
    if (action) {
      event.preventDefault();
      action();
    } else if (key === "Enter" && target === document.body && table.isAsked()) {
      get("answers").querySelector('button[tabindex="0"]')?.click();
    }
  });
};
