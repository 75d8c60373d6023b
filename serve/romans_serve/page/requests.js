// Requests to the server.

import { say } from "./messages.js";

const FIRST_WAIT = 500, LONGEST_WAIT = 16000;

export class Refused extends Error {
  constructor(status, answer) {
    super(answer.error || `the server answered with status ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

export const ask = async (path, body) => {
  const request = body === undefined ? {} : {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  };
  // 503: nothing was changed, and the same request may succeed in a moment.
  for (let wait = FIRST_WAIT; ; wait *= 2) {
    let reply;
    try {
      reply = await fetch(path, { credentials: "same-origin", ...request });
    } catch {
      throw new Refused(0, { error: "the server does not answer: is it running?" });
    }
    const answer = await reply.json().catch(() => ({}));
    if (reply.ok) {
      if (wait > FIRST_WAIT) say("");
      return answer;
    }
    if (reply.status !== 503 || wait > LONGEST_WAIT) throw new Refused(reply.status, answer);
    say("The game cannot be saved right now. The page keeps trying…");
    await new Promise((resolve) => { setTimeout(resolve, wait); });
  }
};
