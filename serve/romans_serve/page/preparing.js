// What is said while code is compiled, which happens once, and how far that is.

import { ask } from "./requests.js";

const LOOK = 1000;

export const preparing = ({ ready, of }) => `Preparing, once: ${of ? `${ready} of ${of}` : ready} parts ready`;

// Says beneath a game how far it is, while something is compiled for it; otherwise what is always said.
export const followPreparing = (element, game, otherwise) => {
  const look = async () => {
    const now = await ask(`/api/ready/${encodeURIComponent(game)}`).catch(() => ({ is_ready: true }));
    const text = now.preparing ? preparing(now.preparing) : otherwise;
    if (element.textContent !== text) element.textContent = text;
    if (now.preparing || !now.is_ready) setTimeout(look, LOOK);
  };
  look();
};
