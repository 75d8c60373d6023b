// What the server sends of a game from now on. A stream that broke off is opened again.

import { say } from "./messages.js";

const KINDS = ["view", "look", "thinks", "preparing", "pace", "note"];
const FIRST_WAIT = 1000, LONGEST_WAIT = 60000;

// Args: received, which is given the kind of an event and what it has.
export const makeStream = (received) => {
  let source = null, bands = [], isLost = false, reopening = 0, wait = FIRST_WAIT;

  // Bands of a picture that have not changed are not sent again.
  const complete = ({ picture }) => {
    if (!picture) return;
    picture.bands = picture.bands.map((band, k) => band || bands[k]);
    bands = picture.bands;
  };

  const close = () => {
    source?.close();
    clearTimeout(reopening);
  };

  const open = (path) => {
    close();
    bands = [];
    source = new EventSource(path);
    for (const kind of KINDS) {
      source.addEventListener(kind, ({ data }) => {
        if (isLost) say("");
        isLost = false;
        wait = FIRST_WAIT;
        const event = JSON.parse(data);
        complete(event);
        received(kind, event);
      });
    }
    source.addEventListener("error", () => {
      isLost = true;
      const isRefused = source.readyState === EventSource.CLOSED;
      say(`The server does not ${isRefused ? "show this game just now" : "answer"}. The page tries again by itself…`);
      // A browser that was answered with an error does not ask again.
      if (isRefused) reopening = setTimeout(() => open(path), wait = Math.min(2 * wait, LONGEST_WAIT));
    });
  };

  return { open, close, get isOpen() { return source !== null; } };
};
