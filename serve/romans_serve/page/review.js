// The review of a game that is over, in sentences, with the mean of this browser's games.

import { capital, get, made } from "./elements.js";
import { tried } from "./messages.js";
import { ask } from "./requests.js";
import { kept } from "./storage.js";

const MOST_REVIEWS = 200;
const WAIT = "Every choice is being compared with others, "
  + "which takes from ten seconds to some minutes in a long game…";

const percent = (share) => `${(100 * share).toFixed(1)} %`;

// Of every game that was reviewed the choices and losses of the person are kept; the sentence compares their means.
const meanOf = (id, game, { loss, choices }) => {
  const all = { ...kept.read("reviews", {}), [id]: { game, loss, choices } };
  kept.write("reviews", Object.fromEntries(Object.entries(all).slice(-MOST_REVIEWS)));
  const same = Object.values(all).filter((one) => one.game === game);
  if (same.length < 2) return [];
  const sum = (name) => same.reduce((total, one) => total + one[name], 0);
  return [
    `In ${same.length} reviewed games of this browser a choice of yours lost ${percent(sum("loss") / sum("choices"))} `
    + `in the mean; here ${percent(loss / choices)}.`,
  ];
};

export const startReview = (id, table) => {
  const review = tried(async () => {
    get("review").disabled = true;
    const wait = made("li");
    get("review-text").replaceChildren(wait);
    table.status.waits(wait, WAIT);
    let found;
    try {
      found = await ask(`/api/games/${id}/review`);
    } catch (error) {
      get("review").disabled = false;
      get("review-text").replaceChildren();
      throw error;
    }
    const { players, game } = table.shown;
    const names = Object.fromEntries(players.map(({ player, name }) => [player, name]));
    const lines = found.sentences.filter((line) => !line.startsWith("Winner: "))
      .map((line) => capital(line.replace(/\w+/g, (word) => names[word] || word)));
    const own = table.seat === null ? null : found.totals[players[table.seat].player];
    if (own) lines.push(...meanOf(id, game, own));
    get("review-text").replaceChildren(...lines.map((line) => made("li", line)));
    get("review").hidden = true;
    get("review-page").hidden = false;
  });
  get("review").addEventListener("click", review);
};
