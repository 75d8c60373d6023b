// The log of a game, with remarks about agents in between.

import { capital, get, made } from "./elements.js";

export const plain = (line) => (
  capital(line.trim().replace(/^(==|--) ?| ?(==|--)$/g, "").replace(/ == /g, ": "))
);
const kindOf = (line) => (
  line.startsWith("==") ? "head" : line.startsWith("--") ? "turn" : line.startsWith("  ") ? "deep" : ""
);

export const makeLog = () => {
  const list = get("log");
  let remarks = [];

  // Replaces the lines from number `start` on.
  const show = ({ lines, start }, isOver) => {
    for (const item of list.querySelectorAll(".new")) item.classList.remove("new");
    if (start === 0) list.replaceChildren();
    while (list.children.length - remarks.length > start && list.lastChild) {
      if (remarks.includes(list.lastChild)) remarks.pop();
      list.lastChild.remove();
    }
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
    list.append(...lines.map((line) => made("div", plain(line), start ? `${kindOf(line)} new` : kindOf(line))));
    if (isAtEnd || start === 0) toEnd();
    const latest = list.lastChild;
    get("now").textContent = (!isOver && !latest?.classList.contains("head") && latest?.textContent) || "What happened";
  };
  const toEnd = () => { list.scrollTop = list.scrollHeight; };

  const remark = (text) => {
    const item = made("div", text, "note new");
    remarks.push(item);
    list.append(item);
    toEnd();
  };

  get("story").addEventListener("toggle", toEnd);
  return { show, remark, forgetRemarks: () => { remarks = []; }, clear: () => list.replaceChildren() };
};
