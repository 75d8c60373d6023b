// The status line: the question, whose turn it is, or how the game ended.

import { capital, get, made } from "./elements.js";
import { dots } from "./levels.js";
import { plain } from "./log.js";
import { preparing } from "./preparing.js";

export const makeStatus = (table) => {
  const textNow = () => {
    const { shown } = table, [latest] = shown.log.lines.slice(-1);
    if (shown.is_over) return capital(shown.result);
    if (table.isAsked()) return shown.question;
    if ((shown.is_between || table.queue.length) && latest) return plain(latest);
    if (shown.is_waiting) return "Your plan is complete. It is played once the others have made theirs.";
    if (shown.preparing) return preparing(shown.preparing);
    if (shown.thinks) return `${capital(table.who(shown.thinks))} is thinking…`;
    if (!shown.to_act) return "Someone is deciding.";
    const who = table.who(shown.to_act);
    return who === "you" ? "It is your turn." : `${capital(who)} is deciding.`;
  };

  const playerOf = ({ player, name, kind, agent, mark, level }) => {
    const detail = kind === "rule" ? "plays by rule" : agent && agent !== name ? agent : "";
    const text = `${mark} ${name}${detail ? ` (${detail})` : ""}${level ? ` ${dots(level)}` : ""}`;
    return made("li", text, player === table.shown.to_act ? "now" : "");
  };

  const show = () => {
    const { shown } = table, text = textNow();
    if (get("question").textContent !== text) get("question").textContent = text;
    document.title = `${table.isAsked() ? "● " : ""}${shown.title} – Romans`;
    for (const one of document.querySelectorAll("[data-waits]")) waits(one, one.dataset.waits);
    get("players").replaceChildren(...shown.players.map(playerOf));
  };

  // Shows a text while an answer is awaited, or the progress if something has to be compiled first.
  const waits = (element, text) => {
    element.dataset.waits = text;
    element.textContent = table.shown.preparing ? preparing(table.shown.preparing) : text;
  };

  return { show, waits };
};
