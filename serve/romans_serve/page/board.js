// The board: the sheets of a picture, with a button on every card and place.

import { sayAbout, sayNothing } from "./about.js";
import { draggable, readable } from "./drag.js";
import { capital, get, made } from "./elements.js";
import { animate, seen } from "./motion.js";
import { makePan, moveByHand } from "./pan.js";
import { draw, sheetsOf, SVG } from "./pictures.js";
import { roving } from "./roving.js";
import { reachable } from "./tables.js";

const LEAST_HEIGHT = 320, MARGIN = 12;
// A small square place, which is not a card, is drawn as a ring with room for a finger around it.
const isRing = ([, , wide, high]) => wide < 34 && Math.abs(wide - high) < 4;

const heightOf = (element) => {
  element.style.minHeight = "";
  return element.offsetHeight;
};

export const makeBoard = (table) => {
  const sheets = () => [...get("sheets").children];
  const spots = () => get("sheets").querySelectorAll(".spot");
  let reserved = 0;

  // The boxes to keep in view: where the players who are asked sit or, failing that, what can be chosen.
  const boxesNow = () => {
    const asked = [...sheets()[0].querySelectorAll("[data-focus]")].map((node) => (
      node.dataset.focus.split(" ").map(Number)
    ));
    if (asked.length) return asked.map(([x, y]) => [x - 200, y - 200, 400, 400]);
    return table.shown.spots.filter((spot) => !spot.sheet && spot.actions.length).map((spot) => spot.box);
  };
  const pan = makePan(() => sheets()[0], boxesNow);

  // The action of a spot in words, or the number of its actions if there are several.
  const doesOf = (spot) => {
    const phrases = spot.actions.map(table.phrase).filter(Boolean);
    return phrases.length > 1 ? `${phrases.length} choices` : phrases[0] || "";
  };

  // An action may belong to several spots, so each spot that is chosen narrows down the actions.
  const choose = (spot) => {
    if (!table.isAsked()) return;
    const left = table.taken ? spot.actions.filter((action) => table.taken.includes(action)) : spot.actions;
    const found = left.length ? left : spot.actions;
    if (found.length === 1) table.act(found[0]);
    else table.take(found.length === table.shown.choices.length ? null : found);
  };

  // On a touch screen, the first touch of a card explains it, and the second one plays it.
  const isToRead = (button) => button.isTouched && button.spot.text && !button.classList.contains("read");
  const readFirst = (button, does) => {
    for (const other of spots()) other.classList.toggle("read", other === button);
    sayAbout(button.spot, button, `${does}: touch again`);
  };

  const place = (button, [left, top, wide, high], { width, height }) => {
    button.style.left = `${100 * left / width}%`;
    button.style.top = `${100 * top / height}%`;
    button.style.width = `${100 * wide / width}%`;
    button.style.height = `${100 * high / height}%`;
  };

  const spotButton = (spot, size) => {
    const button = made("button", "", "spot"), does = doesOf(spot), read = () => sayAbout(spot, button, does);
    button.type = "button";
    place(button, spot.box, size);
    // Kept by reference, because table.shown changes before the board is redrawn.
    button.spot = spot;
    button.setAttribute("aria-label", `${capital(spot.name)}${does ? `: ${does}` : ""}. ${spot.text}`.trim());
    if (spot.actions.length === 1) [button.dataset.action] = spot.actions;
    button.classList.toggle("can", spot.actions.length > 0);
    button.classList.toggle("ring", isRing(spot.box));
    button.addEventListener("pointerenter", (event) => { if (event.pointerType !== "touch") read(); });
    button.addEventListener("pointerleave", sayNothing);
    button.addEventListener("focus", () => { if (button.matches(":focus-visible")) read(); });
    button.addEventListener("blur", sayNothing);
    button.addEventListener("click", () => {
      if (button.wasDragged || button.wasHeld) return;
      if (!spot.actions.length) read();
      else if (isToRead(button)) readFirst(button, does);
      else choose(spot);
    });
    readable(button, read);
    const lift = (actions) => { table.taken = actions; marks(); };
    if (spot.actions.length) draggable(button, spot, lift, table.act);
    return button;
  };

  const wholeButton = () => {
    const button = made("button", "Whole board");
    button.id = "whole";
    button.type = "button";
    button.hidden = true;
    button.addEventListener("click", () => { button.textContent = pan.toggle() ? "Larger" : "Whole board"; });
    return button;
  };

  const sheetOf = (number) => {
    const sheet = made("div", "", "sheet"), stage = made("div", "", "stage"), places = made("div", "", "spots");
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", number ? "Next to the board" : "The board");
    places.setAttribute("role", "group");
    places.setAttribute("aria-label", number ? "Places next to the board" : "Cards and places on the board");
    stage.append(svg, places);
    sheet.append(stage);
    if (number) reachable(sheet, "Area next to the board");
    else {
      sheet.append(wholeButton());
      moveByHand(sheet, pan);
    }
    return sheet;
  };

  const fit = () => {
    const [sheet, ...others] = sheets(), isNarrow = table.narrow.matches;
    if (!sheet?.size) return;
    document.body.classList.toggle("beside", others.length > 0);
    // The question keeps the height that it once needed, so that the board does not jump; the coach's is released.
    const coach = get("coach").offsetHeight;
    if (isNarrow || table.shown.is_over) reserved = 0;
    else if (!get("story").open) reserved = Math.max(reserved, heightOf(get("ask")) - coach);
    get("ask").style.minHeight = reserved ? `${reserved + coach}px` : "";
    const below = (part) => (
      Math.max(LEAST_HEIGHT, innerHeight - part.getBoundingClientRect().top - scrollY - MARGIN)
    );
    pan.fit(isNarrow ? Infinity : below(sheet), isNarrow);
    for (const other of others) other.style.maxHeight = isNarrow ? "" : `${below(other)}px`;
  };

  // On a small screen the question covers the lower edge, so scroll until the places to choose from are visible.
  const toAsked = () => {
    const boxes = [...get("sheets").querySelectorAll(".can")].map((button) => button.getBoundingClientRect());
    if (!boxes.length) return;
    const hidden = Math.max(...boxes.map(({ bottom }) => bottom)) + 8 - (innerHeight - get("ask").offsetHeight);
    const room = Math.min(...boxes.map(({ top }) => top)) - 8;
    if (hidden <= 0 && room >= 0) return;
    scrollBy({ top: room < 0 ? room : Math.min(hidden, room), behavior: table.isStill() ? "auto" : "smooth" });
  };

  const show = () => {
    const { picture, game } = table.shown, parts = sheetsOf(picture);
    const hadFocus = get("sheets").contains(document.activeElement);
    const isNew = table.isStill() || document.hidden || sheets().length !== parts.length;
    if (sheets().length !== parts.length) get("sheets").replaceChildren(...parts.map((_, k) => sheetOf(k)));
    const moving = sheets().map((sheet, number) => {
      const svg = sheet.querySelector("svg"), places = sheet.querySelector(".spots");
      const before = isNew || !sheet.size ? [] : seen(svg, sheet.size.width);
      sheet.size = parts[number];
      draw(svg, game, parts[number]);
      const own = table.shown.spots.filter((spot) => spot.sheet === number);
      places.replaceChildren(...own.map((spot) => spotButton(spot, sheet.size)));
      roving(places);
      return () => { if (before.length) animate(svg, before, sheet.size.width); };
    });
    sayNothing();
    fit();
    for (const move of moving) move();
    if (hadFocus) get("sheets").querySelector(".can, .spot")?.focus({ preventScroll: true });
    marks();
    if (table.narrow.matches) toAsked();
  };

  // Mark what can still be chosen after a first choice, and what the adviser would choose.
  const marks = () => {
    const { taken, hint } = table;
    for (const button of spots()) {
      const { actions } = button.spot, left = taken ? actions.filter((action) => taken.includes(action)) : [];
      button.classList.toggle("aim", left.length > 0 && left.length < (taken || []).length);
      button.classList.toggle("taken", Boolean(taken) && left.length === taken.length);
      const share = hint && actions.length === 1 && hint.probabilities[actions[0]];
      button.querySelector(".best")?.remove();
      if (share >= 0.005) button.append(made("span", `${Math.round(100 * share)} %`, "best"));
    }
    get("all").hidden = !taken;
  };

  const pointAt = (action, is) => {
    for (const button of spots()) button.classList.toggle("aim", is && button.spot.actions.includes(action));
  };

  // The toolbars of a phone's browser come and go; that changes only the height, and needs no new layout.
  let across = innerWidth;
  addEventListener("resize", () => {
    if (!table.shown || (table.narrow.matches && across === innerWidth)) return;
    across = innerWidth;
    reserved = 0;
    get("ask").style.minHeight = "";
    fit();
  });
  get("story").addEventListener("toggle", () => { if (table.shown && !table.narrow.matches) fit(); });

  // Called when something next to the board has changed its height.
  const settle = () => {
    fit();
    if (table.narrow.matches) toAsked();
  };

  return { clear: () => get("sheets").replaceChildren(), fit, marks, pointAt, settle, show };
};
