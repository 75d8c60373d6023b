// The coach for a first game: it explains the aim of the game, and says a sentence at each of the first decisions.

import { get, made } from "./elements.js";
import { kept } from "./storage.js";

const OFF = "coach is off", AIM = "aim";

// Args: read, a function that returns the rules of a game, including its coach if it has one.
export const makeCoach = (table, read) => {
  let coach = null, said = { move: null };

  // Each sentence is said only once in this browser.
  const saidNow = ({ game, decision, move }) => {
    if (said.move === move) return said;
    const name = `coach ${game}`, before = kept.read(name, []);
    const number = coach.lessons.findIndex((one, k) => one.decision === decision && !before.includes(k));
    const isFirst = !before.includes(AIM);
    const news = [...(isFirst ? [AIM] : []), ...(number < 0 ? [] : [number])];
    if (news.length) kept.write(name, [...before, ...news]);
    return { move, aim: isFirst ? coach.aim : [], lesson: number < 0 ? "" : coach.lessons[number].text };
  };

  const show = () => {
    const isOn = coach && table.isAsked() && !kept.get(OFF);
    if (isOn) said = saidNow(table.shown);
    const { aim, lesson } = said;
    get("coach").hidden = !isOn || !(aim.length || lesson);
    if (get("coach").hidden) return;
    get("coach-aim").replaceChildren(...aim.map((line) => made("li", line)));
    get("coach-lesson").textContent = lesson;
  };

  const close = () => {
    said = { ...said, aim: [], lesson: "" };
    get("coach").hidden = true;
    table.board.settle();
  };
  const turn = (isOn) => {
    kept.set(OFF, isOn ? "" : "yes");
    get("coach-on").checked = isOn;
    // A player who turns the coach on again wants to read it from the beginning.
    if (isOn) kept.write(`coach ${table.shown.game}`, []);
    said = { move: null };
    show();
    table.board.settle();
  };
  get("coach-close").addEventListener("click", close);
  get("coach-off").addEventListener("click", () => turn(false));
  get("coach-on").addEventListener("change", () => turn(get("coach-on").checked));

  // A game from outside the package has no coach.
  const open = async (game) => {
    const rules = await read(game).catch(() => null);
    coach = rules?.coach || null;
    get("coach-label").hidden = !coach;
    get("coach-on").checked = !kept.get(OFF);
    if (!coach || !table.shown) return;
    show();
    table.board.settle();
  };
  return { open, show };
};
