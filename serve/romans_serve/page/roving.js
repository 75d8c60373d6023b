// Roving tabindex: Tab reaches one button of a list, and the arrow keys reach the others.

const only = (buttons, reached) => {
  for (const button of buttons) button.tabIndex = button === reached ? 0 : -1;
};

export const reach = (list, button) => only(list.querySelectorAll("button"), button);

export const roving = (list) => {
  const buttons = [...list.querySelectorAll("button")];
  only(buttons, buttons.find((button) => button.classList.contains("can")) || buttons[0]);
};

export const step = (list, by) => {
  const buttons = [...list.querySelectorAll("button")];
  if (!buttons.length) return;
  const at = buttons.indexOf(document.activeElement), last = buttons.length - 1;
  const to = at < 0 ? buttons[by > 0 ? 0 : last] : buttons[(at + by + buttons.length) % buttons.length];
  only(buttons, to);
  to.focus();
};
