// The line for error messages.

import { capital, get, made } from "./elements.js";

export const say = (text) => {
  get("message").textContent = text;
  get("message").hidden = !text;
};

// Wraps a function so that an error is shown in the message line.
export const tried = (action) => async (...given) => {
  try {
    say("");
    return await action(...given);
  } catch (error) {
    say(`${capital(error.message)}${/[.?!]$/.test(error.message) ? "" : "."}`);
  }
};

// A button that is disabled while its action runs.
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
