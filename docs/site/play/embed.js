// Embeds the page that plays without a server in a page of the documentation.
"use strict";
(() => {
  const page = `${document.currentScript.src.replace(/[^/]*$/, "")}index.html`;
  const shown = (root) => {
    const frame = document.createElement("iframe");
    Object.assign(frame, { src: page, title: "The games, played on this page", className: "romans-play-frame" });
    root.replaceChildren(frame, link("Open on its own page"));
    frame.focus();
  };
  const link = (text) => {
    const made = document.createElement("a");
    Object.assign(made, { href: page, textContent: text });
    return made;
  };
  for (const root of document.querySelectorAll(".romans-play")) {
    if (!root.dataset.waits) shown(root);
    else if (matchMedia("(max-width: 640px)").matches) root.replaceChildren(link("Play it here"));
    else {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: "Play it here", onclick: () => shown(root) });
      root.replaceChildren(button);
    }
  }
})();
