// The games that the server offers, with their shipped pictures.

import { made } from "./elements.js";
import { ask } from "./requests.js";

const withPicture = new Set();

export const allOffers = async () => {
  const offers = await ask("/api/offers");
  for (const { game, has_picture: isThere } of offers) if (isThere) withPicture.add(game);
  return offers;
};

// A list with the shipped picture of a game, or without; it is an ornament.
export const stillOf = (game) => (
  withPicture.has(game) ? [Object.assign(made("img"), { src: `/${game}.svg`, alt: "" })] : []
);
