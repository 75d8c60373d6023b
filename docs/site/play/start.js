// The first screen of the page that plays without a server: choosing a game and its opponents.

import { get, made, option } from "./elements.js";
import { gameOf } from "./games.js";
import { makeHere } from "./here.js";
import { dots } from "./levels.js";
import { button, tried } from "./messages.js";
import { makeRules } from "./rules.js";
import { held } from "./scripts.js";
import { startTheme } from "./theme.js";

const MOST_SEEDS = 2 ** 32, SEEDS_DRAWN = 1e6;
const offers = JSON.parse(get("offers").textContent);

const seedOf = (text) => {
  if (!text.trim()) return Math.floor(SEEDS_DRAWN * Math.random());
  if (!/^\s*\d{1,10}\s*$/.test(text) || Number(text) >= MOST_SEEDS) {
    throw new Error(`a seed is an integer from 0 to ${MOST_SEEDS - 1}`);
  }
  return Number(text);
};

// A different opponent for every seat but the first, as long as there are enough.
const rivalsOf = (offer, setup, first) => {
  const names = offer.rivals.map(({ name }) => name), from = names.indexOf(first);
  return Array.from({ length: offer.setups[setup] - 1 }, (_, k) => names[(from + names.length - k) % names.length]);
};

const choiceOf = (offer, kind, setup, first, seed) => {
  const names = offer.rivals.map(({ name }) => name), better = names[names.indexOf(first) + 1];
  return {
    game: offer.game,
    kind,
    setup,
    seed,
    agents: [null, ...rivalsOf(offer, setup, first)],
    levels: Object.fromEntries(offer.rivals.map(({ name, level }) => [name, level])),
    adviser: offer.adviser,
    stronger: better ? () => choiceOf(offer, kind, setup, better, seed) : null,
  };
};

const labelled = (text, field) => {
  const label = made("label", `${text} `);
  label.append(field);
  return label;
};
const select = (options) => {
  const element = made("select");
  element.append(...options);
  return element;
};

const factsOf = ({ setups, minutes }) => {
  const numbers = Object.values(setups), [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return `${least === most ? least : `${least} or ${most}`} players, about ${minutes} minutes`;
};

// The card of a game: its aim, the choice of opponents and, folded, the seed and the rules.
const cardOf = (offer, begin, rules) => {
  const item = made("li", "", "card"), more = made("details"), setups = Object.keys(offer.setups);
  const still = Object.assign(made("img"), { src: `${offer.game}.svg`, alt: "" });
  const against = select(offer.rivals.map(({ name, level, about }) => option(name, `${name} ${dots(level)}`, about)));
  const setup = select(setups.map((name) => option(name, name))), seed = made("input");
  against.value = offer.opponent;
  Object.assign(seed, { inputMode: "numeric", maxLength: 10, size: 10, autocomplete: "off", placeholder: "any" });
  const wanted = () => ({ setup: setup.value, against: against.value, seed: seed.value });
  const play = button("Play", () => begin(offer, wanted()), "main play");
  play.dataset.game = offer.game;
  play.ariaLabel = `Play ${offer.title}`;
  const showRules = button("Rules", () => rules.show(offer.game));
  more.append(made("summary", "Seed and rules"), labelled("Seed", seed), showRules);
  const fields = [labelled(offer.setups[setups[0]] > 2 ? "First opponent" : "Against", against)];
  if (setups.length > 1) fields.push(labelled("Players", setup));
  const lines = [...offer.aim.map((line) => made("p", line)), made("p", factsOf(offer), "muted")];
  item.append(still, made("h2", offer.title), ...lines, ...fields, play, more);
  return item;
};

const start = async () => {
  startTheme();
  const rules = makeRules((game) => held(`rules-${game}`));
  const here = makeHere(rules);
  const begin = async (offer, wanted) => {
    const seed = seedOf(wanted.seed), kind = await held(offer.game, gameOf);
    get("home").hidden = true;
    get("game").hidden = false;
    await here.begin(choiceOf(offer, kind, wanted.setup, wanted.against, seed));
  };
  get("games").replaceChildren(...offers.map((offer) => cardOf(offer, begin, rules)));
  const asked = new URLSearchParams(location.search), offer = offers.find(({ game }) => game === asked.get("game"));
  get("home").hidden = false;
  if (!offer) return;
  const [setup] = Object.keys(offer.setups), against = asked.get("against");
  const isKnown = offer.rivals.some(({ name }) => name === against);
  await begin(offer, { setup, against: isKnown ? against : offer.opponent, seed: asked.get("seed") ?? "" });
};

tried(start)().then(() => { document.documentElement.dataset.ready = "yes"; });
