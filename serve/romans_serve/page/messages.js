// The line for what went wrong.

import { capital, get, made } from "./elements.js";

export const say = (text) => {
  get("message").textContent = text;
  get("message").hidden = !text;
};

// A function that says why it failed.
export const tried = (action) => async (...given) => {
  try {
    say("");
    return await action(...given);
  } catch (error) {
    say(`${capital(error.message)}${/[.?!]$/.test(error.message) ? "" : "."}`);
  }
};

// A button that is disabled while it does what it does.
export const button = (text, action, className = "") => {
  const element = made("button", text, className);
  element.type = "button";
  element.addEventListener("click", async () => {
    element.disabled = true;
    await tried(action)();
    element.disabled = false;
  });
  return element;
};
