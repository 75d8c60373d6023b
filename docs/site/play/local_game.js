// A game against agents on this page, with the frames for its one person in the form that `romans serve` sends.

import { as_json, Dict } from "./python.js";
import { Game } from "./compiled_rules.js";

export class LocalGame {
  // Args:
  //   the rules and the translated functions that show the game, as `games.js` loads them;
  //   seed: the seed of all chance;
  //   agents: the name of the agent in each seat, null for the person;
  //   levels: the levels of agents, by name.
  constructor({ rules, shown }, seed, agents, levels = {}) {
    Object.assign(this, { rules, shown, seed, agents, levels, actions: [], moves: agents.map(() => 0) });
    this.seat = agents.indexOf(null);
    this.viewer = rules.players[this.seat];
    const states = rules.new_states();
    rules.begin(states, seed);
    const start = states.copy();
    this.outcomes = rules.settle(states, false);
    const events = [...rules.opening_events(start, 0, this.outcomes)];
    this.game = new Game(rules, states, events);
    this.latest = { states: states.copy(), lines: this.words(events), start: 0, serial: 0, is_between: false };
    this.served = {
      rules, moves: this.moves, seats: agents.map((agent) => ({ name: agent ?? "you", agent })), may_undo: () => false,
      // Agents decide at once, so there is no planning ahead.
      ahead: () => null,
      puzzle: null,
    };
  }

  words(events) { return this.shown.in_words(this.game, events, this.viewer); }

  // The id of a legal action, by its name.
  idOf(name) {
    const found = this.game.legal_actions().find((action) => this.rules.action_name(action) === name);
    if (found === undefined) throw new Error(`${name} is not legal now`);
    return found;
  }

  // Plays an action; returns the frames that the person is shown.
  act(action) {
    const { rules, game } = this, seat = game.seat_to_act, before = game.states.copy();
    const outcomes = rules.act(game.states, action), now = game.states.copy(), decides = game.seat_to_act;
    this.outcomes.push(...outcomes);
    this.actions.push(`${rules.players[seat]} ${rules.action_name(action)}`);
    this.moves[seat] += 1;
    const moments = [...this.shown.moments(rules, before, action, outcomes)], frames = [];
    game.told = [...game.told, ...moments.flatMap(([, events]) => [...events])];
    let { serial } = this.latest, start = this.latest.lines.length;
    moments.forEach(([states, events], k) => {
      const isLast = k === moments.length - 1, lines = this.words(events);
      const isSeen = seat === this.seat || decides !== seat;
      if (!lines.length && !(isLast && isSeen)) return;
      serial += 1;
      frames.push({ states: isLast ? now : states, lines, start, serial, is_between: !isLast });
      start += lines.length;
    });
    if (frames.length) {
      const lines = [...this.latest.lines, ...frames.flatMap((one) => one.lines)];
      this.latest = { ...frames.at(-1), lines, start: 0 };
    }
    return frames.map((frame) => (frame.serial === serial ? { ...frame, states: this.latest.states } : frame));
  }

  // A frame in the form that the server sends. Everything except the result comes from the person's private view.
  sent(frame, isNarrow) {
    const served = { ...this.served, game: this.game, frames: new Dict([[this.viewer, this.latest]]) };
    return as_json(this.shown.frame_as_json(served, this.viewer, frame, isNarrow));
  }

  view(isNarrow) {
    const { about } = this.rules, levels = new Dict(Object.entries(this.levels));
    return {
      id: "here", game: about.name, title: about.title, setup_in_words: about.setup_in_words, viewer: this.viewer,
      players: as_json(this.shown.players_as_json(this.rules, this.served.seats, this.viewer, levels)),
      pace: 0, is_open: false, thinks: null, preparing: null, ...this.sent(this.latest, isNarrow),
    };
  }

  // The game as JSON that `romans replay` reads.
  record() {
    const { rules, agents, game } = this, { about } = rules;
    const result = game.is_over ? { winners: game.winners(), points: as_json(game.points()) } : null;
    const named = Object.fromEntries(rules.players.map((player, seat) => [player, agents[seat]]));
    const deal = as_json(this.shown.deal(rules, this.outcomes));
    return { format: about.format, table: about.setup, deal, agents: named, actions: this.actions, result };
  }
}
