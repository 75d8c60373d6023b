// A game against agents that is played here: what its one person is shown of it, as `romans serve` would send it.

import { as_json, Dict } from "./python.js";
import { Game } from "./compiled_rules.js";

export class LocalGame {
  // Args:
  //   kind: a game as `games.js` loads it: its rules, and the translated functions that show it.
  //   seed: decides all chance.
  //   agents: by seat, what decides there, by its name; null for the person.
  //   levels: how strong agents are, by their names.
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
      // Agents decide at once, so that nobody plans while another does.
      ahead: () => null,
      puzzle: null,
    };
  }

  words(events) { return this.shown.in_words(this.game, events, this.viewer); }

  // The name of an action, of the seat that decides.
  idOf(name) {
    const found = this.game.legal_actions().find((action) => this.rules.action_name(action) === name);
    if (found === undefined) throw new Error(`${name} is not legal now`);
    return found;
  }

  // Plays an action; returns what the person is shown of it, one moment after the other.
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

  // A moment as it is sent. All but the result is made from what the person may know.
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
