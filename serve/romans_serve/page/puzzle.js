// A game that begins before a mistake of another one: shows the mistake and, after the new choice, what was better.

import { capital, get } from "./elements.js";

export const showPuzzle = (puzzle) => {
  get("puzzle").hidden = !puzzle;
  if (!puzzle) return;
  const text = capital(puzzle.answer || `try this choice again (${puzzle.line} was lost)`);
  if (get("puzzle").textContent !== text) get("puzzle").textContent = text;
};
