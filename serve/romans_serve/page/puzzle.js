// A game that begins before a mistake of another one: what it is about, and, when it is answered, what was better.

import { capital, get } from "./elements.js";

export const showPuzzle = (puzzle) => {
  get("puzzle").hidden = !puzzle;
  if (!puzzle) return;
  const text = capital(puzzle.answer || `try again: ${puzzle.line} was lost here`);
  if (get("puzzle").textContent !== text) get("puzzle").textContent = text;
};
