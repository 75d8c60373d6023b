// The stream of a game's events from the server; it is reopened after an interruption.

import { say } from "./messages.js";

const KINDS = ["view", "look", "thinks", "preparing", "pace", "note"];
const FIRST_WAIT = 1000, LONGEST_WAIT = 60000;

// Args: received, a function that is called with the kind of an event and its data.
export const makeStream = (received) => {
  let source = null, bands = [], isLost = false, reopening = 0, wait = FIRST_WAIT;

  // The server does not resend bands of a picture that have not changed.
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
      say(`The server ${isRefused ? "cannot show this game right now" : "does not answer"}. The page keeps trying…`);
      // After an error status, the browser does not reconnect by itself.
      if (isRefused) reopening = setTimeout(() => open(path), wait = Math.min(2 * wait, LONGEST_WAIT));
    });
  };

  return { open, close, get isOpen() { return source !== null; } };
};
