// The form for a new game: its setup, its settings and its players.

import { closable } from "./dialogs.js";
import { get, made, option } from "./elements.js";
import { dots, LEVELS } from "./levels.js";
import { tried } from "./messages.js";
import { ask } from "./requests.js";
import { remember } from "./storage.js";

export const begin = async (body) => {
  const game = await ask("/api/games", body);
  remember(game.id);
  location.assign(`/games/${game.id}`);
};

const labelled = (tag, label, properties = {}) => {
  const element = Object.assign(made(tag), properties);
  element.setAttribute("aria-label", label);
  return element;
};

const optionsOf = (offer, isFirst) => {
  const ranked = offer.agents.filter(({ level }) => level).sort((one, other) => one.level - other.level);
  const groups = {
    People: [option("here", isFirst ? "you" : "a person at this screen"), option("link", "a person by private link")],
    "Opponents, weakest first": ranked.map(({ spec, name, level }) => (
      option(`agent:${spec}`, `${name} ${dots(level)}`)
    )),
    More: [
      ...offer.agents.filter(({ level }) => !level).map(({ spec, name }) => option(`agent:${spec}`, name)),
      option("other", "an agent with options…"),
    ],
  };
  return Object.entries(groups).filter(([, options]) => options.length).map(([label, options]) => {
    const group = Object.assign(made("optgroup"), { label });
    group.append(...options);
    return group;
  });
};

// A line of the form for one seat; its `chosen()` returns the seat in the form that the server expects.
const seatOf = (offer, number) => {
  const item = made("li"), about = made("p", "", "muted"), mark = made("span", "●■▲◆"[number % 4], "mark");
  const who = labelled("select", `Seat ${number + 1}`);
  const name = labelled("input", `Name in seat ${number + 1}`, { placeholder: "name", maxLength: 24 });
  const spec = labelled("input", `Agent spec of seat ${number + 1}`, { placeholder: "flat-mc:iterations=200" });
  who.append(...optionsOf(offer, !number));
  who.value = number ? `agent:${offer.rivals[number - 1]}` : "here";
  mark.setAttribute("aria-hidden", "true");
  const change = () => {
    name.hidden = !["here", "link"].includes(who.value);
    spec.hidden = who.value !== "other";
    const found = offer.agents.find(({ spec: text }) => `agent:${text}` === who.value);
    about.textContent = found ? `${found.about}${found.level ? ` Level ${found.level} of ${LEVELS}.` : ""}` : "";
  };
  who.addEventListener("change", change);
  item.append(mark, who, name, spec, about);
  item.chosen = () => {
    if (who.value === "other") return { agent: spec.value.trim() || offer.opponent };
    if (who.value.startsWith("agent:")) return { agent: who.value.slice("agent:".length) };
    return { name: name.value.trim() || null, here: who.value === "here" };
  };
  change();
  return item;
};

const fieldOf = ({ name, label, choices }) => {
  const element = made("label", `${label} `), select = made("select");
  select.dataset.name = name;
  select.append(...choices.map((choice) => (
    option(JSON.stringify(choice), { true: "yes", false: "no" }[choice] || choice)
  )));
  element.append(select);
  return element;
};

export const showSetup = (offer) => {
  const setup = () => offer.setups.find(({ name }) => name === get("new-setup").value);
  const seats = () => get("new-seats").replaceChildren(
    ...Array.from({ length: setup().num_players }, (_, k) => seatOf(offer, k)),
  );
  get("setup-title").textContent = offer.title;
  get("new-setup").replaceChildren(...offer.setups.map((one) => option(one.name, one.label)));
  get("new-setup").closest("label").hidden = offer.setups.length < 2;
  get("new-setup").onchange = seats;
  get("new-fields").replaceChildren(...offer.fields.map(fieldOf));
  seats();
  get("new").onsubmit = (event) => {
    event.preventDefault();
    const send = get("new").querySelector("[type=submit]"), fields = {};
    send.disabled = true;
    for (const select of get("new-fields").querySelectorAll("select")) {
      fields[select.dataset.name] = JSON.parse(select.value);
    }
    const seatsChosen = [...get("new-seats").children].map((item) => item.chosen());
    tried(() => begin({
      game: offer.game, setup: setup().name, fields, seats: seatsChosen, is_open: get("new-open").checked,
    }))().finally(() => { send.disabled = false; });
  };
  get("setup").showModal();
};

export const startSetup = () => closable("setup");
