// A card is dragged to a place, or held by a finger to be read.

const HELD = 450, MOVED = 6;

// A finger that stays reads, and plays nothing. What touches a button is noted on it.
export const readable = (button, read) => {
  let wait = 0;
  button.addEventListener("pointerdown", (event) => {
    button.wasHeld = false;
    button.isTouched = event.pointerType === "touch";
    if (event.pointerType !== "touch") return;
    wait = setTimeout(() => { button.wasHeld = true; read(); }, HELD);
  });
  for (const kind of ["pointerup", "pointercancel", "pointermove"]) {
    button.addEventListener(kind, (event) => {
      if (kind !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 3) clearTimeout(wait);
    });
  }
  button.addEventListener("contextmenu", (event) => event.preventDefault());
};

const ghostOf = (button, spot) => {
  const ghost = button.closest(".stage").querySelector("svg").cloneNode(true), box = button.getBoundingClientRect();
  ghost.id = "ghost";
  ghost.setAttribute("viewBox", spot.box.join(" "));
  ghost.style.width = `${box.width}px`;
  ghost.style.height = `${box.height}px`;
  document.body.append(ghost);
  return ghost;
};

// The actions that a card and the place under the pointer have in common, if there are any.
const inCommon = (button, spot, event) => (
  document.elementsFromPoint(event.clientX, event.clientY)
    .filter((one) => one.classList.contains("spot") && one !== button)
    .map((one) => one.spot.actions.filter((action) => spot.actions.includes(action)))
    .find((found) => found.length)
);

// Args: take, which is given the actions of a card that is lifted, and those of both where it is dropped, or none.
export const draggable = (button, spot, take, act) => {
  let start = null, ghost = null;
  button.addEventListener("pointerdown", (event) => {
    // A board that is moved by a finger has no cards to drag.
    if (event.button !== 0 || button.closest(".large")) return;
    start = [event.clientX, event.clientY];
    button.setPointerCapture(event.pointerId);
  });
  button.addEventListener("pointermove", (event) => {
    if (!start) return;
    if (!ghost && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > MOVED) {
      ghost = ghostOf(button, spot);
      button.wasDragged = true;
      take(spot.actions);
    }
    if (!ghost) return;
    ghost.style.left = `${event.clientX - parseFloat(ghost.style.width) / 2}px`;
    ghost.style.top = `${event.clientY - parseFloat(ghost.style.height) / 2}px`;
  });
  button.addEventListener("pointerup", (event) => {
    if (ghost) {
      ghost.remove();
      const both = inCommon(button, spot, event);
      if (both && both.length === 1) act(both[0]);
      else take(both || null);
      setTimeout(() => { button.wasDragged = false; }, 0);
    }
    start = ghost = null;
  });
  button.addEventListener("pointercancel", () => {
    if (ghost) ghost.remove();
    start = ghost = null;
    button.wasDragged = false;
  });
};
