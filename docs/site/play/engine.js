// A game of Romans Go Home! in a browser: the rules are the package's own, compiled to WebAssembly, and so is its chance.
"use strict";
(() => {
  const unpacked = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  // The random stream of a seed from 0 to 2 ** 32 - 1, as numpy's SeedSequence(seed).generate_state(4) has it.
  const streamOf = (seed) => {
    let constant = 0x43b0d7e5;
    const hashed = (value, factor) => {
      let mixed = value ^ constant;
      constant = Math.imul(constant, factor);
      mixed = Math.imul(mixed, constant);
      return mixed ^ (mixed >>> 16);
    };
    const places = [0, 1, 2, 3], pool = [seed, 0, 0, 0].map((word) => hashed(word, 0x931e8875));
    for (const [from, to] of places.flatMap((one) => places.filter((other) => other !== one).map((other) => [one, other]))) {
      const mixed = Math.imul(0xca01f9dd, pool[to]) - Math.imul(0x4973f715, hashed(pool[from], 0x931e8875));
      pool[to] = mixed ^ (mixed >>> 16);
    }
    constant = 0x8b51f9dd;
    return pool.map((word) => BigInt(hashed(word, 0x58f38ded) >>> 0));
  };

  class Rules {
    // `about` is what rules.js has.
    static async load(about) { return new Rules((await WebAssembly.instantiate(await unpacked(about.data))).instance.exports, about); }

    constructor(module, about) {
      Object.assign(this, { module, about, at: {} });
      let place = module.memory.grow(1) * 65536;
      const sizes = { state: about.size, view: about.size, look: about.size, chance: 32, words: 32, seen: about.observation };
      for (const [name, size] of Object.entries(sizes)) {
        this.at[name] = place;
        place += Math.ceil(size / 64) * 64;
      }
    }

    bytes(name, size = this.about.size) { return new Uint8Array(this.module.memory.buffer, this.at[name], size); }

    // The fields of the record at a place, copied: numbers, and lists of them.
    fields(name) {
      const all = new Int8Array(this.bytes(name).slice().buffer);
      return Object.fromEntries(Object.entries(this.about.fields).map(([field, [offset, count]]) => (
        [field, count === 1 ? all[offset] : [...all.subarray(offset, offset + count)]]
      )));
    }

    // What a seat may know of the record at a place.
    known(name, seat) {
      this.bytes("view").set(this.bytes(name));
      this.module.redact(this.at.view, seat);
      return this.fields("view");
    }

    words(name) { return new BigInt64Array(this.module.memory.buffer, this.at[name], 4); }
  }

  const bitsOf = (bits) => Array.from({ length: 63 }, (_, k) => k).filter((k) => (bits >> BigInt(k)) & 1n);

  class Game {
    constructor(rules, table, seed) {
      Object.assign(this, { rules, seed, name: table, table: rules.about.tables[table], actions: [] });
      rules.bytes("state").set(Uint8Array.from(atob(this.table.record), (letter) => letter.charCodeAt(0)));
      rules.words("chance").set(streamOf(seed));
      this.seat = Number(rules.module.start(rules.at.state, rules.at.chance, rules.at.words));
      this.dealt = rules.fields("state");
    }

    // The ids of the legal actions, ascending.
    legal() { return bitsOf(this.rules.words("state")[0]); }

    known(seat) { return this.rules.known("state", seat); }
    // What the seat that decides may know, as numbers for a network.
    observation() {
      this.rules.module.observe(this.rules.at.state, this.seat, this.rules.at.seen);
      return new Int8Array(this.rules.bytes("seen", this.rules.about.observation).slice().buffer);
    }

    // A number from 0 to 1 of the chance of agents, which goes on where that of the deal ended.
    uniform() { return this.rules.module.uniform(this.rules.at.chance); }
    // What a scripted player would do, by its code: it gets what its seat may know.
    scripted(code) {
      this.known(this.seat);
      return Number(this.rules.module.scripted(this.rules.at.view, code));
    }

    // Plays a legal action; returns the steps that follow from it, each with what a viewer knows before and after it.
    act(action, viewer) {
      const { module, at, about } = this.rules, steps = [], over = about.phases.game_over;
      this.rules.bytes("look").set(this.rules.bytes("state"));
      let chosen = action, legal = 0n, before = this.rules.known("look", viewer);
      while (before.phase !== over && !(legal & (legal - 1n))) {
        if (chosen === null) legal = module.play_phase(at.look);
        else {
          module.choose(at.look, chosen);
          legal = 0n;
        }
        const after = this.rules.known("look", viewer);
        steps.push({ before, after, action: chosen });
        before = after;
        chosen = legal ? bitsOf(legal)[0] : null;
      }
      const seat = Number(module.act(at.state, action, at.words));
      this.actions.push(`${this.table.clans[this.seat]} ${about.actions[action]}`);
      this.seat = seat;
      return steps;
    }

    get isOver() { return this.seat < 0; }
    winners() { return this.table.clans.filter((_, seat) => this.isOver && this.rules.module.is_winner(this.rules.at.state, seat)); }

    // The game as JSON that `romans replay` reads.
    record(agents) {
      const { warriors, forts } = this.rules.about, { clans, setup } = this.table, { points } = this.rules.fields("state");
      const rounds = [0, 1, 2].map((round) => Object.fromEntries(clans.map((clan, seat) => {
        const start = (round * 4 + seat) * 7;
        return [clan, this.dealt.dealt.slice(start, start + 7).filter((card) => card >= 0).map((card) => warriors[card].name)];
      })));
      const result = this.isOver ? { winners: this.winners(), points: Object.fromEntries(clans.map((clan, seat) => [clan, points[seat]])) } : null;
      const deal = { forts: this.dealt.fort_order.map((fort) => forts[fort].name), rounds };
      return { format: "romans-go-home/1", table: setup, deal, agents, actions: this.actions, result };
    }
  }

  // Two networks: one gives the probabilities of actions, the other the expected return.
  class Network {
    static async load(about) { return new Network(about, await unpacked(about.data)); }

    constructor({ sizes }, bytes) {
      let at = 0;
      const taken = (Kind, count) => {
        const found = new Kind(bytes.slice(at, at + count * Kind.BYTES_PER_ELEMENT).buffer);
        at += count * Kind.BYTES_PER_ELEMENT;
        return found;
      };
      this.scale = taken(Float32Array, sizes.pi[0]);
      for (const [name, widths] of Object.entries(sizes)) {
        this[name] = widths.slice(1).map((rows, k) => {
          const bias = taken(Float32Array, rows), powers = taken(Int8Array, rows), whole = taken(Int8Array, rows * widths[k]);
          return { bias, weight: Float32Array.from(whole, (value, place) => value * 2 ** powers[Math.floor(place / widths[k])]) };
        });
      }
    }

    output(layers, observation) {
      let x = observation;
      layers.forEach(({ bias, weight }, k) => {
        const wide = x.length, y = Float32Array.from(bias), used = [...x.keys()].filter((column) => x[column]);
        for (let row = 0; row < y.length; row += 1) {
          let sum = 0;
          for (const column of used) sum += weight[row * wide + column] * x[column];
          y[row] += sum;
          if (k < layers.length - 1 && y[row] < 0) y[row] = 0;
        }
        x = y;
      });
      return x;
    }

    // What the network thinks of a decision: probabilities of the legal actions, and the chance to win.
    opinion(observation, legal) {
      const x = Float32Array.from(observation, (entry, k) => entry * this.scale[k]);
      const logits = this.output(this.pi, x), most = Math.max(...legal.map((action) => logits[action]));
      const odds = legal.map((action) => Math.exp(logits[action] - most)), sum = odds.reduce((one, other) => one + other);
      return { probabilities: odds.map((one) => one / sum), win: Math.min(1, Math.max(0, (1 + this.output(this.vf, x)[0]) / 2)) };
    }

    // An action drawn from the probabilities, by the game's chance.
    act(game) {
      const legal = game.legal(), { probabilities } = this.opinion(game.observation(), legal);
      let left = game.uniform();
      const chosen = legal.findIndex((_, k) => (left -= probabilities[k]) < 0);
      return legal[chosen < 0 ? legal.length - 1 : chosen];
    }
  }

  Object.assign(globalThis.RomansPlay ??= {}, { Rules, Game, Network, streamOf });
})();
