// Progress messages while code is compiled, which happens only at the first use.

import { ask } from "./requests.js";

const LOOK = 1000;

export const preparing = ({ ready, of }) => (
  `Preparing for the first use: ${of ? `${ready} of ${of}` : ready} parts ready`
);

// Shows the progress in an element while something is compiled for a game, and otherwise the usual text.
export const followPreparing = (element, game, otherwise) => {
  const look = async () => {
    const now = await ask(`/api/ready/${encodeURIComponent(game)}`).catch(() => ({ is_ready: true }));
    const text = now.preparing ? preparing(now.preparing) : otherwise;
    if (element.textContent !== text) element.textContent = text;
    if (now.preparing || !now.is_ready) setTimeout(look, LOOK);
  };
  look();
};
