// A table, below the end of the game, of the adviser's opinion on every choice of the person.

import { capital, get, made } from "./elements.js";

const HEADS = ["choice", "you", "its probability", "its own choice", "chance to win"];
const percent = (share) => `${Math.round(100 * share)} %`;
const rowOf = (tag, cells) => {
  const row = made("tr");
  row.append(...cells.map((cell) => made(tag, cell)));
  return row;
};

export const makeThoughts = () => {
  let kept = [];

  // Args: choices, the choices of the decision; chosen, the name of the action played; hint, the result of `hintOf`.
  const note = (choices, chosen, hint) => { kept.push({ choices, chosen, hint }); };

  const cellsOf = ({ choices, chosen, hint }, k) => {
    const phrase = (name) => capital(choices.find(({ action }) => action === name).phrase);
    const [best] = Object.keys(hint.probabilities);
    const own = best === chosen ? "the same" : phrase(best);
    return [String(k + 1), phrase(chosen), percent(hint.probabilities[chosen]), own, percent((1 + hint.value) / 2)];
  };

  const show = (adviser) => {
    const title = `What ${adviser} thought of your choices`, scroll = made("div", "", "scroll"), table = made("table");
    const head = made("thead"), body = made("tbody");
    head.append(rowOf("th", HEADS));
    body.append(...kept.map((one, k) => rowOf("td", cellsOf(one, k))));
    table.append(head, body);
    scroll.append(table);
    Object.assign(scroll, { tabIndex: 0, role: "group", ariaLabel: title });
    get("thoughts").replaceChildren(made("summary", title), scroll);
    get("thoughts").hidden = !kept.length;
  };

  const clear = () => {
    kept = [];
    get("thoughts").hidden = true;
  };
  return { note, show, clear };
};
