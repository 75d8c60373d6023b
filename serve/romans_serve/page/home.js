// The first screen: the games that can be started, and those in progress.

import { get, made } from "./elements.js";
import { dots } from "./levels.js";
import { button } from "./messages.js";
import { allOffers, stillOf } from "./offers.js";
import { boardStyle, draw, sheetsOf, SVG } from "./pictures.js";
import { followPreparing } from "./preparing.js";
import { ask } from "./requests.js";
import { begin, showSetup, startSetup } from "./setup.js";
import { ownGames } from "./storage.js";

const MOST_BOARDS = 6, MOST_ASKED_FOR = 20;

const factsOf = (offer) => {
  const numbers = offer.setups.map(({ num_players: number }) => number);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const players = `${least === most ? least : `${least} to ${most}`} player${most > 1 ? "s" : ""}`;
  return [players, ...(offer.minutes ? [`about ${offer.minutes} minutes`] : [])].join(", ");
};

// A new game with the default setup, `first` in the first seat and `others` in the remaining ones.
const usual = (offer, first, others) => {
  const [{ name, num_players: number }] = offer.setups;
  return { game: offer.game, setup: name, seats: [first, ...others].slice(0, number) };
};

const cardOf = (offer, rules) => {
  const item = made("li", "", "card"), more = made("details"), ways = made("div", "", "row");
  const facts = factsOf(offer), status = made("p", facts, "muted");
  const rivals = offer.rivals.map((agent) => ({ agent })), friends = rivals.map(() => ({ here: false }));
  const you = { here: true };
  ways.append(
    button("With friends", () => begin(usual(offer, you, friends))),
    button("Watch agents", () => begin(usual(offer, { agent: offer.adviser }, rivals))),
    button("Set up…", () => showSetup(offer)),
    button("Rules", () => rules.show(offer.game)),
  );
  more.append(made("summary", "More"), ways);
  const play = button("Play", () => begin(usual(offer, you, rivals)), "main play");
  play.dataset.game = offer.game;
  play.setAttribute("aria-label", `Play ${offer.title}`);
  status.setAttribute("role", "status");
  followPreparing(status, offer.game, facts);
  item.append(...stillOf(offer.game), made("h2", offer.title), made("p", offer.sentence), status, play, more);
  return item;
};

// A small picture of a game's board, filled in once it is loaded; purely decorative.
const smallBoard = (game, path) => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  boardStyle(game);
  ask(path).then((answer) => {
    const [sheet] = sheetsOf(answer.picture);
    // A tall board is cut off at the top and the bottom rather than made small.
    svg.setAttribute("preserveAspectRatio", sheet.width > 1.5 * sheet.height ? "xMidYMid meet" : "xMidYMid slice");
    draw(svg, game, sheet);
  }).catch(() => {});
  return svg;
};

const entryOf = (game, number, isOwn) => {
  const item = made("li"), link = made("a");
  link.href = `/games/${game.id}`;
  const state = game.is_over ? `won by ${game.winners.join(" and ")}` : isOwn ? "continue" : "watch";
  if (number < MOST_BOARDS && !game.is_over) link.append(smallBoard(game.game, `/api/games/${game.id}/view`));
  link.append(
    made("b", `${game.title}${game.setup_in_words ? `, ${game.setup_in_words}` : ""}`),
    made("span", game.players.map(({ name, level }) => (level ? `${name} ${dots(level)}` : name)).join(", ")),
    made("span", new Date(1000 * game.changed).toLocaleString(), "muted"),
    made("span", state, isOwn && !game.is_over ? "tag own" : "tag"),
  );
  item.append(link);
  return item;
};

const listGames = async () => {
  const found = await ask("/api/games"), own = ownGames();
  const absent = own.filter((id) => !found.some((game) => game.id === id)).slice(0, MOST_ASKED_FOR);
  const others = await Promise.all(absent.map((id) => ask(`/api/games/${id}`).catch(() => null)));
  const isOwn = ({ id }) => own.includes(id);
  const shown = [...found, ...others.filter(Boolean)].sort((one, other) => (
    one.is_over - other.is_over || isOwn(other) - isOwn(one) || other.changed - one.changed
  ));
  const entries = shown.map((game, number) => entryOf(game, number, isOwn(game)));
  const numGoing = Math.min(MOST_BOARDS, shown.filter((game) => !game.is_over).length);
  get("list").replaceChildren(...entries.slice(0, numGoing));
  get("older-list").replaceChildren(...entries.slice(numGoing));
  get("going").hidden = !numGoing;
  get("older").hidden = entries.length === numGoing;
};

export const home = async (rules) => {
  startSetup();
  get("home").hidden = false;
  const offers = await allOffers();
  get("games").replaceChildren(...offers.map((offer) => cardOf(offer, rules)));
  await listGames();
};
