// Helpers to find and to make elements of the page.

export const get = (id) => document.getElementById(id);

export const made = (name, text = "", className = "") => {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  if (className) element.className = className;
  return element;
};

export const option = (value, text, title = "") => {
  const element = made("option", text);
  element.value = value;
  if (title) element.title = title;
  return element;
};

export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : text);
