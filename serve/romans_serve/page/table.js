// A game on the table: the current view, the choice in progress, and the parts of the page that show them.

import { makeBoard } from "./board.js";
import { makeChoices } from "./choices.js";
import { makeCoach } from "./coach.js";
import { get } from "./elements.js";
import { showEnd } from "./end.js";
import { makeHints } from "./hints.js";
import { startKeyboard } from "./keyboard.js";
import { dots } from "./levels.js";
import { makeLog } from "./log.js";
import { tried } from "./messages.js";
import { boardStyle } from "./pictures.js";
import { showPuzzle } from "./puzzle.js";
import { makeQueue } from "./queue.js";
import { makeStatus } from "./status.js";
import { kept } from "./storage.js";

const USUAL_SPEED = "1400";

// Args:
//   source: plays the game. It has `act(plan)`, `undo()` and `hint(agent)` for the decision that is shown, `opening()`,
//     called at the first frame, and `hasShown()`, called after each frame.
//   rules: the dialog with the rules.
// Frames have the form that the server sends: see `view_of` in games/views.py.
export const makeTable = (source, rules) => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const table = {
    shown: null,
    taken: null,
    hint: null,
    seat: null,
    isBusy: false,
    isSteered: false,
    narrow: matchMedia("(max-width: 640px)"),
    isStill: () => still.matches || !Number(get("speed").value),
    isAsked: () => Boolean(table.shown?.choices?.length),
    who: (player) => (table.shown.players.find((one) => one.player === player) || { name: player }).name,
    phrase: (action) => (table.shown.choices || []).find((one) => one.action === action)?.phrase,
    take: (actions) => {
      table.taken = actions;
      table.board.marks();
      table.choices.list();
    },
  };

  // One request at a time; its effect arrives as a frame.
  const once = (request) => async (...given) => {
    table.isBusy = true;
    try {
      return await request(...given);
    } catch (error) {
      table.isBusy = false;
      throw error;
    }
  };
  table.send = once(source.act);
  table.act = tried(async (action) => { if (table.isAsked() && !table.isBusy) await table.send(action); });
  const undo = tried(async () => { if (table.shown?.may_undo && !table.isBusy) await once(source.undo)(); });

  const decision = () => {
    const { shown, seat } = table, isAsked = table.isAsked(), isAside = seat === null || shown.is_over;
    showEnd(shown);
    showPuzzle(shown.puzzle);
    get("answers").hidden = !isAsked;
    for (const name of ["undo", "hint", "plan-form", "adviser-label"]) get(name).hidden = isAside;
    get("undo").disabled = !shown.may_undo;
    get("hint").disabled = !isAsked;
    document.body.classList.toggle("asked", isAsked);
    document.body.classList.toggle("over", shown.is_over);
    table.coach.show();
    table.choices.show();
  };

  // Fills in what does not change during the game, before the first frame is shown.
  table.open = () => {
    const { title, setup_in_words: setup, game } = table.shown;
    const rivals = table.shown.players.filter(({ level }) => level);
    const playing = rivals.map(({ name, level }) => `${name} ${dots(level)}`).join(", ");
    get("title").textContent = [title, ...(setup ? [setup] : []), ...(playing ? [playing] : [])].join(" · ");
    rules.isOf(game);
    get("menu-open").hidden = false;
    boardStyle(game);
    table.coach.open(game);
    source.opening();
  };

  table.show = (look) => {
    const isFirst = !table.shown;
    table.shown = { ...table.shown, ...look };
    table.queue.hasShown(table.isAsked() || table.shown.is_over ? 0 : Number(get("speed").value));
    table.taken = table.hint = null;
    table.hints.clear();
    if (isFirst) table.open();
    table.log.show(look.log, table.shown.is_over);
    table.status.show();
    decision();
    table.board.show();
    table.isBusy = false;
    document.documentElement.dataset.shown = String(table.shown.serial);
    source.hasShown();
  };
  // Removes the cards before another person looks at the screen.
  table.cover = () => {
    table.board.clear();
    table.log.clear();
    for (const name of ["choices", "way-out"]) get(name).replaceChildren();
    get("coach").hidden = true;
  };

  table.queue = makeQueue(table.show);
  table.log = makeLog();
  table.status = makeStatus(table);
  table.board = makeBoard(table);
  table.choices = makeChoices(table);
  table.coach = makeCoach(table, rules.read);
  table.hints = makeHints(table, source.hint);

  const letGo = () => { if (table.shown) table.take(null); };
  startKeyboard(table, {
    u: undo, h: table.hints.advise, s: table.queue.skip, "?": () => rules.show(), Escape: letGo,
  });
  get("undo").addEventListener("click", undo);
  get("all").addEventListener("click", letGo);
  get("menu-open").addEventListener("click", () => get("menu").showModal());
  get("speed").value = kept.get("speed") || USUAL_SPEED;
  get("speed").addEventListener("change", () => {
    kept.set("speed", get("speed").value);
    table.queue.hurry();
  });
  return table;
};
