// Tables of text in the form that the server sends: a title, columns and rows.

import { made } from "./elements.js";

// Makes a scrollable element reachable by keyboard.
export const reachable = (scroll, name) => {
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", name);
  return scroll;
};

const headOf = (columns) => {
  const head = made("thead"), row = made("tr");
  row.append(...columns.map((column) => made(column ? "th" : "td", column)));
  head.append(row);
  return head;
};

const rowOf = (cells) => {
  const row = made("tr");
  row.append(...cells.map((cell, k) => {
    const element = made(k ? "td" : "th", cell);
    if (!k) element.scope = "row";
    return element;
  }));
  return row;
};

export const tableOf = ({ title, columns, rows }) => {
  const table = made("table"), body = made("tbody"), scroll = made("div", "", "scroll");
  if (columns.some(Boolean)) table.append(headOf(columns));
  body.append(...rows.map(rowOf));
  table.append(body);
  scroll.append(table);
  return [made("h3", title), reachable(scroll, title)];
};
