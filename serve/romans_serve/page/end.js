// The end of a game: why the winner has won, and the table of points.

import { capital, get } from "./elements.js";
import { tableOf } from "./tables.js";

export const showEnd = ({ is_over: isOver, why, score }) => {
  get("end").hidden = !isOver;
  if (!isOver) return;
  get("why").textContent = capital(why);
  get("score").replaceChildren(...(score ? tableOf(score) : []));
};
