// Several people at one screen: cards are covered until the next one has said to be there.

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
