// The policy network, which gives action probabilities, and the value network, which gives the expected return.

import { unpacked } from "./packing.js";

const relu = (y) => { for (let row = 0; row < y.length; row += 1) if (y[row] < 0) y[row] = 0; };

// The weights of a layer are stored as integers, times a power of two for each row.
const layersOf = (widths, taken) => widths.slice(1).map((rows, k) => {
  const bias = taken(Float32Array, rows), powers = taken(Int8Array, rows), whole = taken(Int8Array, rows * widths[k]);
  const weight = Float32Array.from(whole, (value, place) => value * 2 ** powers[Math.floor(place / widths[k])]);
  return { bias, weight };
});

const output = (layers, observation) => layers.reduce((x, { bias, weight }, k) => {
  const wide = x.length, y = Float32Array.from(bias), used = [...x.keys()].filter((column) => x[column]);
  for (let row = 0; row < y.length; row += 1) {
    let sum = 0;
    for (const column of used) sum += weight[row * wide + column] * x[column];
    y[row] += sum;
  }
  if (k < layers.length - 1) relu(y);
  return y;
}, observation);

export class Network {
  static async load(about) { return new Network(about, await unpacked(about.data)); }

  constructor({ sizes }, bytes) {
    let at = 0;
    const taken = (Kind, count) => {
      const size = count * Kind.BYTES_PER_ELEMENT, found = new Kind(bytes.slice(at, at + size).buffer);
      at += size;
      return found;
    };
    this.scale = taken(Float32Array, sizes.pi[0]);
    this.pi = layersOf(sizes.pi, taken);
    this.vf = layersOf(sizes.vf, taken);
  }

  // The probabilities of the legal actions, and the expected return.
  opinion(observation, legal) {
    const x = Float32Array.from(observation, (entry, k) => entry * this.scale[k]), logits = output(this.pi, x);
    const most = Math.max(...legal.map((action) => logits[action]));
    const odds = legal.map((action) => Math.exp(logits[action] - most)), sum = odds.reduce((one, other) => one + other);
    const value = Math.min(1, Math.max(-1, output(this.vf, x)[0]));
    return { probabilities: odds.map((one) => one / sum), value };
  }

  // An action drawn from the probabilities by means of a random number from 0 to 1.
  act(observation, legal, drawn) {
    const { probabilities } = this.opinion(observation, legal);
    let left = drawn;
    const chosen = legal.findIndex((_, k) => (left -= probabilities[k]) < 0);
    return legal[chosen < 0 ? legal.length - 1 : chosen];
  }
}
