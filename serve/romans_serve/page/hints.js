// Hints: an agent is asked what it would do.

import { capital, get } from "./elements.js";
import { tried } from "./messages.js";

// Converts an expected return into a chance to win: 1 is a win, and -1/(n - 1) a loss (-1 with a single player).
const chanceOf = (value, players) => {
  const number = Math.max(2, players.filter(({ kind }) => kind !== "rule").length);
  const share = (1 + value * (number - 1)) / number;
  return `${Math.round(100 * Math.max(0, Math.min(1, share)))} %`;
};

// Args: ask, a function that returns an agent's hint for the decision that is shown.
export const makeHints = (table, ask) => {
  const say = (text) => {
    delete get("hinted").dataset.waits;
    get("hinted").textContent = text;
  };
  const advise = tried(async () => {
    if (!table.isAsked() || table.isBusy) return;
    const { move } = table.shown;
    table.status.waits(get("hinted"), "Asking…");
    let found;
    try {
      found = await ask(get("adviser").value);
    } catch (error) {
      say("");
      throw error;
    }
    if (table.shown.move !== move) return;
    table.hint = found;
    const value = found.value === null ? "" : `; chance to win ${chanceOf(found.value, table.shown.players)}`;
    const [name, often] = Object.entries(found.probabilities)[0];
    say(`${capital(found.agent)} would ${table.phrase(name)} (${Math.round(100 * often)} %)${value}.`);
    table.board.marks();
    table.choices.list();
    table.board.fit();
  });
  get("hint").addEventListener("click", advise);
  return { advise, clear: () => say("") };
};
