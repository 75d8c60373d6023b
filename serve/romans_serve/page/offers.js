// The games that the server offers, with their pictures.

import { made } from "./elements.js";
import { ask } from "./requests.js";

const withPicture = new Set();

export const allOffers = async () => {
  const offers = await ask("/api/offers");
  for (const { game, has_picture: isThere } of offers) if (isThere) withPicture.add(game);
  return offers;
};

// A list with the picture of a game, or an empty one; the picture is purely decorative.
export const stillOf = (game) => (
  withPicture.has(game) ? [Object.assign(made("img"), { src: `/${game}.svg`, alt: "" })] : []
);
