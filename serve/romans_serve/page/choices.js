// The answers to a question, as a list of buttons.

import { capital, get, made } from "./elements.js";
import { roving } from "./roving.js";

const MOST_LISTED = 12, MOST_WORDS = 120;

const grouped = (all, keyOf) => {
  const groups = new Map();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) || []), one]);
  return groups;
};

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

  const buttonOf = (choice, number, best) => {
    const button = made("button");
    button.type = "button";
    button.id = `choice-${number}`;
    button.dataset.action = choice.action;
    button.dataset.number = number;
    // For screen readers, the full phrase follows the visible text.
    button.append(made("span", choice.item), made("span", `: ${choice.phrase}`, "unseen"));
    if (table.hint) button.append(...shareOf(choice.action));
    button.classList.toggle("best", choice.action === best);
    button.addEventListener("click", () => table.act(choice.action));
    for (const kind of ["pointerenter", "focus", "pointerleave", "blur"]) {
      const is = kind === "pointerenter" || kind === "focus";
      button.addEventListener(kind, () => table.board.pointAt(choice.action, is));
    }
    return button;
  };
  const itemOf = (choice, number, best) => {
    const item = made("li");
    item.append(buttonOf(choice, number, best));
    return item;
  };

  // A button that is replaced by further answers when it is pressed.
  const folded = (text, open) => {
    const item = made("li"), button = made("button", text, "quiet");
    button.type = "button";
    button.addEventListener("click", open);
    item.append(button);
    return item;
  };
  const foldOf = (text, choices) => (
    folded(`${capital(text)}… (${choices.length})`, () => table.take(choices.map(({ action }) => action)))
  );
  const onBoardItem = (number) => folded(`${number} choices on the board: list them`, () => {
    isAllListed = true;
    list();
    table.board.fit();
  });

  const words = (all) => {
    get("plan").placeholder = all.slice(0, 3).map(({ action }) => action).join(" or ");
    get("plan-words").replaceChildren(...all.slice(0, MOST_WORDS).map(({ action }) => {
      const word = made("option");
      word.value = action;
      return word;
    }));
  };

  // The answers in order, each group below its heading.
  const listed = (choices, best) => {
    let group = "";
    return choices.flatMap((choice) => {
      const isNew = choice.group !== group;
      group = choice.group;
      const head = isNew && group ? [made("li", `${capital(group)}:`, "group")] : [];
      return [...head, itemOf(choice, numberOf(choice), best)];
    });
  };
  const numberOf = (choice) => table.shown.choices.indexOf(choice) + 1;

  // Choices with a fold are hidden behind a button; once it is open, each of their groups is hidden behind one.
  const items = (choices, best) => {
    const folds = grouped(choices, ({ fold, action }) => (action === best ? "" : fold || ""));
    return [...folds].flatMap(([fold, inFold]) => {
      if (!fold) return listed(inFold, best);
      if (inFold.length < choices.length) return [foldOf(fold, inFold)];
      const groups = grouped(inFold, ({ group }) => group);
      if (groups.size === 1) return listed(inFold, best);
      return [...groups].map(([group, inGroup]) => foldOf(group, inGroup));
    });
  };

  const list = () => {
    const { taken, hint, shown } = table, element = get("choices"), all = shown.choices || [];
    const hadFocus = get("answers").contains(document.activeElement) || document.activeElement === document.body;
    const [best] = hint ? Object.keys(hint.probabilities) : [];
    // In a long list, leave out the choices that can be made on the board.
    const isShort = all.length > MOST_LISTED && !isAllListed && !taken;
    const onBoard = new Set(isShort ? shown.spots.flatMap((spot) => spot.actions) : []);
    const visible = all.filter(({ action }) => (
      (!taken || taken.includes(action)) && (!onBoard.has(action) || action === best)
    ));
    const out = visible.filter((choice) => choice.is_way_out), inside = visible.filter((choice) => !choice.is_way_out);
    element.replaceChildren(...items(inside, best), ...(onBoard.size ? [onBoardItem(onBoard.size)] : []));
    get("way-out").replaceChildren(...out.map((choice) => buttonOf(choice, numberOf(choice), best)));
    get("way-out").hidden = !out.length;
    roving(get("answers"));
    if (hadFocus && table.isSteered && all.length) {
      get("answers").querySelector("button")?.focus({ preventScroll: true });
    }
    element.dataset.kind = all.length ? all[0].action.split(":")[0] : "";
    words(all);
  };

  const show = () => {
    isAllListed = false;
    list();
  };

  return { list, show };
};
