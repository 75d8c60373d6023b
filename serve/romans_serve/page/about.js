// The note that explains a card, placed over the board next to the card.

import { capital, get, made } from "./elements.js";

export const sayAbout = (spot, button, does) => {
  const box = get("about"), here = button.getBoundingClientRect();
  const text = `${spot.text}${does ? ` ${capital(does)}.` : ""}`;
  box.replaceChildren(made("b", `${capital(spot.name)}. `), text);
  box.hidden = false;
  const around = box.offsetParent.getBoundingClientRect();
  const left = Math.max(4, Math.min(here.left - around.left, around.width - box.offsetWidth - 4));
  const above = here.top - around.top - box.offsetHeight - 6;
  box.style.left = `${left}px`;
  box.style.top = `${here.top > box.offsetHeight + 12 ? above : here.bottom - around.top + 6}px`;
};

export const sayNothing = () => { get("about").hidden = true; };
