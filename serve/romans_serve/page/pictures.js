// Pictures of a position: sheets side by side, each of them a stack of bands.

import { made } from "./elements.js";

export const SVG = "http://www.w3.org/2000/svg";

export const boardStyle = (game) => {
  if (document.querySelector(`link[data-board="${game}"]`)) return;
  const link = made("link");
  link.rel = "stylesheet";
  link.href = `/boards/${encodeURIComponent(game)}.css`;
  link.dataset.board = game;
  document.head.append(link);
};

// The width, height and SVG of each sheet of a picture.
export const sheetsOf = ({ sheets, bands }) => {
  let next = 0;
  return sheets.map(([width, number]) => {
    let height = 0;
    const content = bands.slice(next, next += number).map(([high, svg]) => {
      const part = `<g transform="translate(0 ${height})">${svg}</g>`;
      height += high;
      return part;
    });
    return { width, height, svg: `<rect width="${width}" height="${height}" rx="10" class="bg"/>${content.join("")}` };
  });
};

export const draw = (svg, game, { width, height, svg: content }) => {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", `board-${game}`);
  svg.innerHTML = content;
};
