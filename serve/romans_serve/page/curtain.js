// For several people at one screen: the cards are covered until the next player confirms to be there.

import { get } from "./elements.js";

export const showCurtain = (name, lift) => {
  get("curtain-title").textContent = `${name} is next`;
  get("curtain-lift").textContent = `I am ${name}: show my cards`;
  get("curtain").oncancel = (event) => event.preventDefault();
  get("curtain-lift").onclick = () => {
    get("curtain").close();
    lift();
  };
  get("curtain").showModal();
  document.documentElement.dataset.shown = "curtain";
};
