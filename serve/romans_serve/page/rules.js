// The dialog with the rules of a game.

import { closable } from "./dialogs.js";
import { get, made } from "./elements.js";
import { tried } from "./messages.js";
import { reachable, tableOf } from "./tables.js";

const opened = (title, ...parts) => {
  const details = made("details");
  details.append(made("summary", title), ...parts);
  return details;
};

const whole = (html) => {
  const text = made("div", "", "scroll");
  text.innerHTML = html;
  for (const heading of text.querySelectorAll("h1, h2, h3")) {
    const smaller = made(heading.tagName === "H1" ? "h3" : "h4");
    smaller.append(...heading.childNodes);
    heading.replaceWith(smaller);
  }
  return opened("Full rules, with their numbers", reachable(text, "Full rules"));
};

// First the aim and a picture, then the course of a turn (the tables without headings); the rest is folded.
const partsOf = (rules, picture) => {
  const isBrief = ({ columns }) => !columns.some(Boolean);
  const cards = rules.tables.filter((table) => !isBrief(table));
  return [
    ...rules.aim.map((line) => made("p", line, "aim")),
    ...picture,
    ...rules.tables.filter(isBrief).flatMap(tableOf),
    ...(cards.length ? [opened("Every card in one sentence", ...cards.flatMap(tableOf))] : []),
    ...(rules.html ? [whole(rules.html)] : []),
  ];
};

// Args: read, a function that returns the rules of a game in the form of `/api/rules/{game}`; pictureOf, one that
// returns a list with the game's picture.
export const makeRules = (read, pictureOf = () => []) => {
  let current = null;
  const rules = {
    read,
    isOf: (game) => { current = game; get("rules-open").hidden = false; },
    show: tried(async (game = current) => {
      if (!game || get("rules").open) return;
      const found = await read(game);
      get("rules-title").textContent = found.title;
      get("rules-text").replaceChildren(...partsOf(found, pictureOf(game)));
      get("rules").showModal();
    }),
  };
  closable("rules");
  get("rules-open").addEventListener("click", () => rules.show());
  return rules;
};
