// The rules of a game: a WebAssembly module, compiled from the same source as in Python, and methods translated from
// the Python class of the rules. They implement the parts of `romans_env.core.protocol.Rules` that the page uses.

import { bytesOf } from "./packing.js";
import { array, Dict, Instance } from "./python.js";
import { recordOf, States } from "./records.js";
import { streamOf } from "./seeds.js";

const DUE = [3, 4];
const PAGE = 65536, ALIGNED = 64, CHANCE = -2, DIE = 0, DRAWN = -1;
export const GAME_OVER = -1;

export class Rules extends Instance {
  // Args: about, the exported facts about the game; exports, the exports of its WebAssembly module.
  set_up(about, exports) {
    Object.assign(this, { about, exports, Record: recordOf(about.layout), at: {} });
    let place = exports.memory.grow(1) * PAGE;
    const sizes = { state: about.size, words: 32, seen: about.observation, mask: about.action_names.length };
    sizes.due = 8 * DUE[0] * DUE[1];
    for (const [name, size] of Object.entries(sizes)) {
      this.at[name] = place;
      place += Math.ceil(size / ALIGNED) * ALIGNED;
    }
    const called = (name) => (states, i, ...given) => this.changed(states, name, ...given);
    const names = ["choose", "answer", "only_legal_action", "current_player", "event_of", "is_winner"];
    this.compiled = Object.fromEntries(names.map((name) => [name, called(name)]));
    return this;
  }

  bytes(name, size) { return new Uint8Array(this.exports.memory.buffer, this.at[name], size); }

  // Calls an exported function on a state record, which the function may change.
  changed(states, name, ...given) {
    this.bytes("state", this.about.size).set(states.bytes);
    const answer = this.exports[name](this.at.state, ...given);
    states.bytes.set(this.bytes("state", this.about.size));
    return typeof answer === "bigint" && name !== "play_phase" ? Number(answer) : answer;
  }

  new_states() { return new States(this, bytesOf(this.about.record)); }

  // -- chance and play

  begin(states, seed) {
    new BigInt64Array(this.exports.memory.buffer, this.at.words, 4).set(streamOf(seed));
    this.changed(states, "begin");
  }

  // Plays on to the next decision with several legal actions; returns the chance outcomes on the way.
  settle(states, isForced = true) {
    const { compiled } = this, outcomes = [];
    for (let checks = isForced; ; checks = true) {
      for (let action; checks && (action = compiled.only_legal_action(states, 0)) >= 0;) {
        compiled.choose(states, 0, action);
      }
      if (this.seat_to_act(states) !== CHANCE) return outcomes;
      const event = compiled.event_of(states, 0), number = this.changed(states, "draw_outcome", this.at.words);
      outcomes.push(event === DRAWN ? states.copy() : event === DIE ? number : this.outcomes[event][number]);
      compiled.answer(states, 0, number);
    }
  }

  // The outcome of a drawn event, such as a deal, is a state record that contains it.
  act_chance(states, i, outcome) {
    states.bytes.set(outcome.bytes);
    this.compiled.answer(states, 0, 0);
    this.settle(states);
  }

  act(states, action) {
    this.compiled.choose(states, 0, action);
    return this.settle(states);
  }

  // A random number from 0 to 1 for agents, from the game's random stream.
  uniform() { return this.exports.uniform(this.at.words); }

  // -- observing

  seat_to_act(states) { return this.compiled.current_player(states, 0); }

  legal_actions(states) {
    this.changed(states, "write_mask", this.at.mask);
    const mask = this.bytes("mask", this.about.action_names.length);
    return [...mask.keys()].filter((action) => mask[action]);
  }

  action_name(action) { return this.about.action_names[action]; }

  redacted_for(states, i, seat) {
    const seen = states.copy();
    this.changed(seen, "redact", seat);
    return seen;
  }

  observation(states, seat) {
    this.changed(states, "observe", seat, this.at.seen);
    return new Int8Array(this.bytes("seen", this.about.observation).slice().buffer);
  }

  // The action of a scripted agent, chosen from the private view of its seat.
  scripted(states, seat, code) { return this.changed(this.redacted_for(states, 0, seat), "scripted", code); }

  // -- the score

  points(states, i, seat) { return states.item(0).points[seat]; }

  winners(states) { return this.seats.filter((_, seat) => this.compiled.is_winner(states, 0, seat)); }

  game_return(states, i, seat) { return this.changed(states, "game_return", seat); }
}

// Functions that play Romans Go Home! phase by phase. Legal actions are a BigInt of bits, because a number has too few.
export const kernels = {
  choose: (states, i, action) => states.rules.compiled.choose(states, i, action),
  is_winner: (states, i, seat) => states.rules.compiled.is_winner(states, i, seat),
};
export const next_phase = (states) => states.rules.changed(states, "play_phase");
export const holds_several = (bits) => (BigInt(bits) & (BigInt(bits) - 1n)) !== 0n;
export const lowest = (bits) => (bits & -bits).toString(2).length - 1;

// The goods that each seat of Struggle for Rome receives for a number rolled.
export const due_in = ([{ states }], i, number) => {
  const { rules } = states, { exports, at } = rules;
  rules.changed(states, "due", number, at.due);
  const found = new BigInt64Array(exports.memory.buffer, at.due, DUE[0] * DUE[1]);
  return array(Array.from({ length: DUE[0] }, (_, k) => Array.from(found.slice(k * DUE[1], (k + 1) * DUE[1]), Number)));
};

// A game with the methods that drawings and texts use.
export class Game {
  constructor(rules, states, told = []) { Object.assign(this, { rules, states, told, players: rules.players }); }

  static of_states(rules, states) { return new Game(rules, states); }

  get seat_to_act() { return this.is_over ? null : this.rules.seat_to_act(this.states); }

  get is_over() { return this.rules.seat_to_act(this.states) === GAME_OVER; }

  position(viewer = null) {
    const seat = this.players.indexOf(viewer);
    return this.rules.position(viewer === null ? this.states : this.rules.redacted_for(this.states, 0, seat), 0);
  }

  legal_actions() { return this.rules.legal_actions(this.states); }

  action_name(action) { return this.rules.action_name(action); }

  // All events so far.
  events() { return this.told; }

  points() { return new Dict(this.rules.seats.map((name, seat) => [name, this.rules.points(this.states, 0, seat)])); }

  winners() { return this.is_over ? this.rules.winners(this.states) : []; }

  returns() {
    const over = this.is_over;
    return new Dict(this.players.map((name, seat) => [name, over ? this.rules.game_return(this.states, 0, seat) : 0]));
  }
}
