// Dragging a card to a place, and holding it on a touch screen to read about it.

const HELD = 450, MOVED = 6;

// A long touch explains the card and does not play it. Whether the pointer is a finger is noted on the button.
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

// The actions that the card and the place under the pointer have in common; undefined if there are none.
const inCommon = (button, spot, event) => (
  document.elementsFromPoint(event.clientX, event.clientY)
    .filter((one) => one.classList.contains("spot") && one !== button)
    .map((one) => one.spot.actions.filter((action) => spot.actions.includes(action)))
    .find((found) => found.length)
);

// Args: take, a function that is called with the actions of a lifted card and, when it is dropped, with those that it
// has in common with the place, or null; act, a function that is called with the action if there is only one.
export const draggable = (button, spot, take, act) => {
  let start = null, ghost = null;
  button.addEventListener("pointerdown", (event) => {
    // On a board larger than its window, dragging moves the board instead.
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
