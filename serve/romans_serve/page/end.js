// How a game ended.

import { capital, get, made } from "./elements.js";

export const showEnd = ({ is_over: isOver, why }) => {
  get("end").hidden = !isOver;
  if (!isOver) return;
  get("why").textContent = capital(why);
  const lines = [...get("log").children].filter((line) => !/head|turn|note/.test(line.className));
  get("how").replaceChildren(...lines.slice(-2).map((line) => made("li", line.textContent)));
};
