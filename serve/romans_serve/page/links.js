// The private links of a game, shown to its creator.

import { capital, get, made } from "./elements.js";
import { kept } from "./storage.js";

const lineOf = ({ seat, path }, players) => {
  const item = made("li", "", "row"), field = made("input"), button = made("button", "Copy"), { name } = players[seat];
  field.readOnly = true;
  field.value = location.origin + path;
  field.setAttribute("aria-label", `Private link of ${name}`);
  button.type = "button";
  button.setAttribute("aria-label", `Copy the private link of ${name}`);
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      document.execCommand("copy");
    }
  });
  item.append(made("span", name), field, button);
  return item;
};

export const showLinks = (id, links, { seats, players, links_stay_here: whyHere }) => {
  get("links").hidden = !links.length;
  get("links-here").hidden = !whyHere;
  get("links-here").textContent = whyHere ? `${capital(whyHere)}.` : "";
  // The first time, show the links at once: friends are waiting for them.
  if (links.some(({ seat }) => !seats.includes(seat)) && !kept.get(`links ${id}`)) {
    kept.set(`links ${id}`, "shown");
    get("menu").showModal();
  }
  get("link-list").replaceChildren(...links.map((link) => lineOf(link, players)));
};
