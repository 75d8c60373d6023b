// Panning and zooming a sheet that would be too small to read if all of it were shown.

import { get } from "./elements.js";

const READABLE = 1.1, LARGEST = 4 * READABLE, USUAL = 1.7;

// Args: sheetNow, a function that returns the sheet to move; boxesNow, one that returns the boxes to keep in view.
export const makePan = (sheetNow, boxesNow) => {
  const view = { scale: 1, x: 0, y: 0, isWhole: false, least: 1, wide: 0, high: 0 };
  const within = (scale) => Math.max(view.least, Math.min(LARGEST, scale));

  const place = () => {
    const sheet = sheetNow(), stage = sheet.firstChild, { width, height } = sheet.size;
    view.scale = within(view.scale);
    const [wide, high] = [width * view.scale, height * view.scale];
    view.x = wide <= view.wide ? (view.wide - wide) / 2 : Math.max(view.wide - wide, Math.min(0, view.x));
    view.y = high <= view.high ? (view.high - high) / 2 : Math.max(view.high - high, Math.min(0, view.y));
    stage.style.width = `${wide}px`;
    stage.style.transform = `translate(${view.x}px, ${view.y}px)`;
    sheet.classList.toggle("large", wide > view.wide + 1 || high > view.high + 1);
  };

  const zoom = (factor, x, y) => {
    const before = view.scale;
    view.scale = within(before * factor);
    view.x = x - (x - view.x) * view.scale / before;
    view.y = y - (y - view.y) * view.scale / before;
    place();
  };

  const centre = (x, y) => {
    view.x = view.wide / 2 - view.scale * x;
    view.y = view.high / 2 - view.scale * y;
  };

  // Shows the part with the boxes, at a readable size.
  const focus = () => {
    const { width, height } = sheetNow().size, boxes = boxesNow();
    if (view.isWhole || view.least >= 1) view.scale = view.least;
    else if (boxes.length) {
      const left = Math.min(...boxes.map(([x]) => x)), right = Math.max(...boxes.map(([x, , wide]) => x + wide));
      const top = Math.min(...boxes.map(([, y]) => y)), bottom = Math.max(...boxes.map(([, y, , high]) => y + high));
      const fits = Math.min(view.wide / (right - left + 120), view.high / (bottom - top + 120));
      view.scale = Math.max(READABLE, view.wide / width, Math.min(USUAL, fits));
      centre((left + right) / 2, (top + bottom) / 2);
    } else if (view.scale < READABLE) {
      view.scale = Math.max(READABLE, view.wide / width);
      centre(width / 2, height / 2);
    }
    place();
  };

  // Sets the size of the sheet to the room available, and shows the part that matters.
  const fit = (room, isNarrow) => {
    const sheet = sheetNow(), { width, height } = sheet.size;
    view.wide = sheet.clientWidth;
    const whole = Math.min(view.wide / width, room / height), isSmall = whole < 0.95;
    const window = isNarrow ? Math.round(0.52 * innerHeight) : room;
    view.high = isSmall ? Math.min(height * READABLE, window) : height * whole;
    view.least = isSmall ? Math.min(view.wide / width, view.high / height) : whole;
    sheet.style.height = `${view.high}px`;
    get("whole").hidden = !isSmall;
    focus();
  };

  const toggle = () => {
    view.isWhole = !view.isWhole;
    focus();
    return view.isWhole;
  };

  const move = (x, y) => {
    view.x += x;
    view.y += y;
    place();
  };

  return { fit, focus, move, toggle, zoom };
};

const middleOf = (fingers, sheet) => {
  const all = [...fingers.values()], box = sheet.getBoundingClientRect();
  const [x, y] = [0, 1].map((k) => all.reduce((sum, one) => sum + one[k], 0) / all.length);
  const apart = all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0;
  return { x: x - box.left, y: y - box.top, apart };
};

// One finger or the mouse moves a sheet; two fingers or the wheel zoom it.
export const moveByHand = (sheet, pan) => {
  const fingers = new Map();
  let isMoved = false, from = null;
  sheet.addEventListener("pointerdown", (event) => {
    if (fingers.size === 0) isMoved = false;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    from = middleOf(fingers, sheet);
  });
  sheet.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId) || !(event.buttons || event.pointerType === "touch")) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const now = middleOf(fingers, sheet);
    if (!sheet.classList.contains("large") && fingers.size < 2) return;
    if (!isMoved && fingers.size < 2 && Math.hypot(now.x - from.x, now.y - from.y) < 8) return;
    isMoved = true;
    pan.move(now.x - from.x, now.y - from.y);
    if (from.apart && now.apart) pan.zoom(now.apart / from.apart, now.x, now.y);
    from = now;
  });
  const end = (event) => {
    fingers.delete(event.pointerId);
    if (fingers.size) from = middleOf(fingers, sheet);
  };
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) sheet.addEventListener(kind, end);
  // If keyboard focus scrolls the sheet to a card beyond the edge, pan there instead.
  sheet.addEventListener("scroll", () => {
    if (!sheet.scrollLeft && !sheet.scrollTop) return;
    const [x, y] = [sheet.scrollLeft, sheet.scrollTop];
    sheet.scrollLeft = sheet.scrollTop = 0;
    pan.move(-x, -y);
  });
  // The click at the end of a move is not a choice.
  sheet.addEventListener("click", (event) => {
    if (!isMoved) return;
    event.stopPropagation();
    event.preventDefault();
    isMoved = false;
  }, true);
  sheet.addEventListener("wheel", (event) => {
    if (get("whole").hidden) return;
    event.preventDefault();
    const box = sheet.getBoundingClientRect();
    pan.zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
};
