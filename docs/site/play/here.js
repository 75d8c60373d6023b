// A game that is played on the page itself: the table gets its views from a `LocalGame` instead of a server.

import { get, option } from "./elements.js";
import { LocalGame } from "./local_game.js";
import { tried } from "./messages.js";
import { choiceOf, hintOf } from "./rivals.js";
import { makeTable } from "./table.js";
import { makeThoughts } from "./thoughts.js";

const MOST_SEEDS = 2 ** 32;
const moment = () => new Promise((resolve) => { setTimeout(resolve, 0); });

// Args: rules, the dialog with the rules. Returns an object with `begin(choice)`, see `choiceOf` in `start.js`.
export const makeHere = (rules) => {
  const thoughts = makeThoughts();
  let local = null, choice = null;

  // Lets the agents act until it is the person's turn, and queues the frames to show.
  const goOn = async () => {
    const mine = local, { kind, agents } = choice;
    while (!mine.game.is_over && mine.game.seat_to_act !== mine.seat) {
      const action = await choiceOf(kind, agents[mine.game.seat_to_act], mine);
      if (mine !== local) return;
      add(mine.act(action));
      await moment();
    }
  };
  const add = (frames) => { for (const one of frames) table.queue.add(local.sent(one, table.narrow.matches)); };

  const act = async (name) => {
    const { choices } = table.shown, action = local.idOf(name);
    // A scripted agent has no probabilities, so it cannot judge the person's choice.
    if (!(choice.adviser in choice.kind.about.scripted)) thoughts.note(choices, name, await advised());
    add(local.act(action));
    await goOn();
    return { played: 1, unused: [], error: null };
  };

  const advised = () => hintOf(choice.kind, choice.adviser, local);
  const saved = () => {
    const { game, seed } = choice, record = JSON.stringify(local.record());
    URL.revokeObjectURL(get("record").href);
    get("record").href = URL.createObjectURL(new Blob([`${record}\n`], { type: "application/json" }));
    get("record").download = `${game}-seed-${seed}.json`;
  };
  const table = makeTable({
    act,
    undo: () => {},
    hint: advised,
    opening: () => {},
    hasShown: () => {
      if (!table.shown.is_over) return;
      saved();
      thoughts.show(choice.adviser);
      get("again").focus({ preventScroll: true });
    },
  }, rules);

  const begin = async (chosen) => {
    choice = chosen;
    const made = { rules: await chosen.kind.rulesOf(chosen.setup), shown: chosen.kind.shown };
    local = new LocalGame(made, chosen.seed, chosen.agents, chosen.levels);
    thoughts.clear();
    table.queue.clear();
    table.cover();
    Object.assign(table, { shown: null, seat: local.seat });
    get("adviser").replaceChildren(option(chosen.adviser, chosen.adviser));
    for (const name of ["review", "review-page", "replay"]) get(name).hidden = true;
    get("again").hidden = false;
    get("stronger").hidden = !chosen.stronger;
    document.documentElement.dataset.seed = String(chosen.seed);
    table.show(local.view(table.narrow.matches));
    await goOn();
  };

  table.narrow.addEventListener("change", () => {
    if (!local) return;
    table.queue.clear();
    table.show(local.view(table.narrow.matches));
  });
  const next = () => (choice.seed + 1) % MOST_SEEDS;
  get("again").addEventListener("click", tried(() => begin({ ...choice, seed: next() })));
  get("stronger").addEventListener("click", tried(() => begin({ ...choice.stronger(), seed: next() })));
  return { begin };
};
