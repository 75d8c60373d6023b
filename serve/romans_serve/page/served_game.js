// A game on the server, which sends views and receives the names of actions from them. Only the server decides what is
// legal.

import { showCurtain } from "./curtain.js";
import { closable } from "./dialogs.js";
import { get, option } from "./elements.js";
import { showLinks } from "./links.js";
import { say, tried } from "./messages.js";
import { allOffers } from "./offers.js";
import { ask } from "./requests.js";
import { startReview } from "./review.js";
import { makeStream } from "./stream.js";
import { remember } from "./storage.js";
import { makeTable } from "./table.js";

const SLOW = 700;

export const servedGame = async (id, rules) => {
  const api = `/api/games/${id}`;
  // The number of the latest frame that was shown; -1 to show the next one in any case.
  let summary, highest = -1;

  const received = (kind, event) => {
    if (kind === "view") viewed(event);
    else if (kind === "look") table.queue.add(event);
    else if (kind === "thinks") tell({ thinks: event.player });
    else if (kind === "preparing") tell(event);
    else if (kind === "pace") get("pace").value = String(event.pace);
    else if (kind === "note") table.log.remark(event.text);
  };
  const tell = (news) => {
    Object.assign(table.shown, news);
    table.status.show();
  };
  const viewed = (view) => {
    table.queue.clear();
    table.log.forgetRemarks();
    const { shown } = table, isWhole = view.serial === highest && view.log.start === 0;
    const isOld = shown && isWhole && !table.isBusy && shown.viewer === view.viewer && !shown.is_between;
    if (isOld) tell(view); else table.show(view);
    table.queue.next();
  };

  const stream = makeStream(received);
  const listen = () => {
    table.queue.clear();
    stream.open(`${api}/events?narrow=${table.narrow.matches}${table.seat === null ? "" : `&seat=${table.seat}`}`);
  };
  const again = () => { highest = -1; listen(); };

  const post = async (path, body) => {
    try {
      return await ask(`${api}/${path}`, { seat: table.seat, move: table.shown.move, ...body });
    } catch (error) {
      // The page is behind, so reload the current view.
      if (error.status === 409 && error.answer.view) again();
      throw error;
    }
  };

  // -- several people at one screen

  const actingSeat = () => {
    const { shown } = table;
    const number = shown?.to_act ? shown.players.findIndex(({ player }) => player === shown.to_act) : -1;
    return summary.seats.includes(number) ? number : null;
  };
  const mustHandOver = () => summary.seats.length > 1 && actingSeat() !== null && actingSeat() !== table.seat;
  const cover = () => {
    const number = actingSeat();
    stream.close();
    table.queue.clear();
    table.cover();
    showCurtain(summary.players[number].name, () => {
      table.seat = number;
      table.shown = null;
      again();
    });
  };

  const opening = () => {
    get("replay").href = `${api}/replay`;
    get("record").href = `${api}/record`;
    get("review-page").href = `${api}/review/page`;
    get("pace").value = String(table.shown.pace);
  };
  const table = makeTable({
    act: (plan) => post("act", { plan }),
    undo: () => post("undo"),
    hint: (agent) => post("hint", { agent }),
    opening,
    hasShown: () => {
      highest = table.shown.serial;
      if (!table.queue.length && mustHandOver()) cover();
    },
  }, rules);

  // -- controls outside the table

  const playPlan = tried(async () => {
    const plan = get("plan").value.trim();
    if (!plan || !table.isAsked() || table.isBusy) return;
    get("menu").close();
    const { played, unused, error } = await table.send(plan);
    get("plan").value = unused.join(" ");
    if (error) say(`${played} of ${played + unused.length} choices were made: ${error}.`);
  });
  const playAgain = (isStronger) => tried(async () => {
    const game = await ask(`${api}/again`, { is_stronger: isStronger });
    remember(game.id);
    location.assign(`/games/${game.id}`);
  });
  const setPace = tried(async () => {
    get("pace").disabled = true;
    try {
      await ask(`${api}/pace`, { pace: Number(get("pace").value) });
    } finally {
      get("pace").disabled = false;
    }
  });
  get("plan-form").addEventListener("submit", (event) => { event.preventDefault(); playPlan(); });
  get("again").addEventListener("click", playAgain(false));
  get("stronger").addEventListener("click", playAgain(true));
  get("pace").addEventListener("change", setPace);
  table.narrow.addEventListener("change", () => { if (stream.isOpen) again(); });
  closable("menu");
  startReview(id, table);

  // -- the first view

  const join = async () => {
    const token = location.hash.slice(1);
    if (!token) return null;
    history.replaceState(null, "", location.pathname);
    return (await ask(`${api}/join`, { token })).seat;
  };
  const advisers = async () => {
    const offer = (await allOffers()).find(({ game }) => game === summary.game);
    get("adviser").replaceChildren(...offer.agents.map(({ spec, name, about }) => option(spec, name, about)));
    get("adviser").value = offer.adviser;
  };
  // With several people at this screen, no cards are shown before one of them confirms to be there.
  const firstOfSeveral = async () => {
    const view = await ask(`${api}/view`).catch(() => null);
    table.shown = view;
    if (view && actingSeat() !== null) {
      table.open();
      cover();
    } else {
      table.shown = null;
      listen();
    }
  };

  get("game").hidden = false;
  const joined = await join();
  const slow = setTimeout(() => { get("question").textContent = "Loading the game…"; }, SLOW);
  summary = await ask(api).finally(() => clearTimeout(slow));
  if (summary.seats.length || summary.is_host) remember(id);
  if (joined !== null) summary.seats = [joined];
  await advisers();
  if (summary.seats.length > 1) await firstOfSeveral();
  else {
    table.seat = summary.seats[0] ?? null;
    listen();
  }
  get("again").hidden = get("pace-label").hidden = !summary.is_host;
  get("stronger").hidden = !summary.is_host || !summary.has_stronger;
  if (summary.is_host) showLinks(id, await ask(`${api}/links`), summary);
};
