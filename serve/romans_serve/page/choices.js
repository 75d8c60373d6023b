// The answers to a question, as a list of buttons.

import { capital, get, made } from "./elements.js";
import { roving } from "./roving.js";

const MOST_LISTED = 12, MOST_WORDS = 120;

export const makeChoices = (table) => {
  let isAllListed = false;

  const shareOf = (action) => {
    const share = table.hint.probabilities[action] || 0, bar = made("progress");
    if (share < 0.005) return [];
    bar.max = 1;
    bar.value = share;
    bar.setAttribute("aria-hidden", "true");
    return [made("span", `${Math.round(100 * share)} %`, "share"), bar];
  };

  const itemOf = (choice, number, best) => {
    const item = made("li"), button = made("button");
    button.type = "button";
    button.id = `choice-${number}`;
    button.dataset.action = choice.action;
    button.dataset.number = number;
    // What is read aloud goes on where what is seen ends.
    button.append(made("span", choice.item), made("span", `: ${choice.phrase}`, "unseen"));
    if (table.hint) button.append(...shareOf(choice.action));
    button.classList.toggle("best", choice.action === best);
    button.addEventListener("click", () => table.act(choice.action));
    for (const kind of ["pointerenter", "focus", "pointerleave", "blur"]) {
      const is = kind === "pointerenter" || kind === "focus";
      button.addEventListener(kind, () => table.board.pointAt(choice.action, is));
    }
    item.append(button);
    return item;
  };

  const quietItem = (number) => {
    const item = made("li"), button = made("button", `${number} choices on the board: list them`, "quiet");
    button.type = "button";
    button.addEventListener("click", () => { isAllListed = true; list(); table.board.fit(); });
    item.append(button);
    return item;
  };

  const words = (all) => {
    get("plan").placeholder = all.slice(0, 3).map(({ action }) => action).join(" or ");
    get("plan-words").replaceChildren(...all.slice(0, MOST_WORDS).map(({ action }) => {
      const word = made("option");
      word.value = action;
      return word;
    }));
  };

  const list = () => {
    const { taken, hint, shown } = table, element = get("choices"), all = shown.choices || [];
    const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body;
    const [best] = hint ? Object.keys(hint.probabilities) : [];
    // What is chosen on the board is not listed again where the list would be long.
    const isShort = all.length > MOST_LISTED && !isAllListed && !taken;
    const onBoard = new Set(isShort ? shown.spots.flatMap((spot) => spot.actions) : []);
    const isListed = ({ action }) => (
      (!taken || taken.includes(action)) && (!onBoard.has(action) || action === best)
    );
    const items = [];
    let group = "";
    all.forEach((choice, k) => {
      if (!isListed(choice)) return;
      if (choice.group !== group) {
        group = choice.group;
        if (items.length || group) items.push(made("li", group ? `${capital(group)}:` : "", "group"));
      }
      items.push(itemOf(choice, k + 1, best));
    });
    if (onBoard.size) items.push(quietItem(onBoard.size));
    element.replaceChildren(...items);
    roving(element);
    if (hadFocus && table.isSteered && all.length) element.querySelector("button")?.focus({ preventScroll: true });
    element.dataset.kind = all.length ? all[0].action.split(":")[0] : "";
    words(all);
  };

  const show = () => {
    isAllListed = false;
    list();
  };

  return { list, show };
};
