// Shows frames one after another, slowly enough to follow what agents do.

import { get } from "./elements.js";

const MANY = 24, HURRY = 0.2;

export const makeQueue = (show) => {
  let waiting = [], timer = null, shownAt = 0, delay = 0;

  const next = () => {
    clearTimeout(timer);
    timer = null;
    get("skip").hidden = waiting.length < 2;
    if (!waiting.length) return;
    const hurry = waiting.length > MANY ? HURRY : 1;
    const wait = Math.max(0, shownAt + hurry * delay - performance.now());
    const step = () => {
      show(waiting.shift());
      next();
    };
    if (wait > 0) timer = setTimeout(step, wait); else step();
  };

  const skip = () => {
    delay = 0;
    for (const one of document.getAnimations()) if (one.effect?.getTiming().iterations === 1) one.finish();
    const left = waiting;
    waiting = [];
    if (left.length) {
      const lines = left.flatMap((look) => look.log.lines);
      show({ ...left[left.length - 1], log: { start: left[0].log.start, lines } });
    }
    next();
  };

  get("skip").addEventListener("click", skip);
  return {
    get length() { return waiting.length; },
    add: (look) => { waiting.push(look); if (!timer) next(); },
    // Called after a frame was shown; the next one waits for this long.
    hasShown: (milliseconds) => { shownAt = performance.now(); delay = milliseconds; },
    hurry: () => { delay = 0; next(); },
    clear: () => { waiting = []; },
    next,
    skip,
  };
};
