// The review of a finished game: its mistakes as they are found, costliest first, then a summary of choices and luck.

import { capital, get, made } from "./elements.js";
import { button, say } from "./messages.js";
import { ask } from "./requests.js";
import { kept, remember } from "./storage.js";

const MOST_REVIEWS = 200;

const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

// Keeps the player's number of choices and total loss for every reviewed game, and compares this game with the average.
const meanOf = (id, game, { loss, choices }) => {
  const all = { ...kept.read("reviews", {}), [id]: { game, loss, choices } };
  kept.write("reviews", Object.fromEntries(Object.entries(all).slice(-MOST_REVIEWS)));
  const same = Object.values(all).filter((one) => one.game === game);
  if (same.length < 2) return [];
  const sum = (name) => same.reduce((total, one) => total + one[name], 0);
  const mean = percent(sum("loss") / sum("choices"), 1);
  return [
    `In the ${same.length} games reviewed in this browser, a choice of yours lost ${mean} on average; `
    + `in this game, ${percent(loss / choices, 1)}.`,
  ];
};

const mistakeOf = (id, mistake) => {
  const item = made("li"), whose = mistake.name === "you" ? "" : `${capital(mistake.name)}: `;
  const tryAgain = async () => {
    const game = await ask(`/api/games/${id}/puzzle`, { action: mistake.action });
    remember(game.id);
    location.assign(`/games/${game.id}`);
  };
  item.append(
    made("b", whose + capital(mistake.line)),
    made("p", `Played, with ${percent(mistake.share)} to win: ${mistake.played}.`),
    made("p", `Better, with ${percent(mistake.better_share)}: ${mistake.better}.`),
    button("Try again from here", tryAgain),
  );
  return item;
};

export const startReview = (id, table) => {
  let mistakes = [];

  const list = (isDone) => {
    const number = mistakes.length, seen = `${number} mistake${number === 1 ? "" : "s"}`;
    get("mistakes-title").textContent = isDone ? capital(number ? seen : "no mistake") : `${seen} so far`;
    get("mistakes").replaceChildren(...mistakes.map((mistake) => mistakeOf(id, mistake)));
  };
  const part = ({ share, mistakes: found }) => {
    get("review-bar").value = share;
    if (!found.length) return;
    mistakes = [...mistakes, ...found].sort((one, other) => other.loss - one.loss);
    list(false);
  };
  const whole = (review) => {
    ({ mistakes } = review);
    const { shown, seat } = table, own = seat === null ? null : review.totals[shown.players[seat].player];
    const lines = [...review.sentences.map(capital), ...(own ? meanOf(id, shown.game, own) : [])];
    get("review-text").replaceChildren(...lines.map((line) => made("li", line)));
    get("review-bar").hidden = true;
    get("review-page").hidden = false;
    list(true);
  };
  const failed = (error) => {
    get("told").hidden = true;
    get("review").hidden = false;
    say(`${capital(error)}.`);
  };

  get("review").addEventListener("click", () => {
    const seat = table.seat === null ? "" : `?seat=${table.seat}`;
    const source = new EventSource(`/api/games/${id}/review/events${seat}`);
    mistakes = [];
    list(false);
    get("review-bar").value = 0;
    get("told").hidden = get("review-bar").hidden = false;
    get("review").hidden = true;
    const end = (told) => ({ data }) => { source.close(); told(JSON.parse(data)); };
    source.addEventListener("part", ({ data }) => part(JSON.parse(data)));
    source.addEventListener("review", end(whole));
    source.addEventListener("failed", end(({ error }) => failed(error)));
    // An interrupted review starts over when it is requested again, unless others still wait for it on the server.
    source.addEventListener("error", () => { source.close(); failed("the review was interrupted: request it again"); });
  });
};
