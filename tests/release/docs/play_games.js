// Plays games at random in a module of docs/site/wasm.py, as romans_env.core.batch.Batch does:
// node play_games.js MODULE FOLDER.
// FOLDER has spec.json and the first bytes of every array; a line a step says the digest of all of them.
const fs = require("fs");
const { createHash } = require("crypto");

const [, , file, folder] = process.argv;
const { games, steps, players, sizes } = JSON.parse(fs.readFileSync(`${folder}/spec.json`));
const { exports: rules } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(file)));
const names = Object.keys(sizes), total = names.reduce((sum, name) => sum + (games * sizes[name] + 64), 0);
let at = rules.memory.grow(Math.ceil(total / 65536)) * 65536;
const places = {};
for (const name of names) {
  places[name] = at = Math.ceil(at / 64) * 64;
  at += games * sizes[name];
}
const memory = rules.memory.buffer;
const whole = names.map((name) => new Uint8Array(memory, places[name], games * sizes[name]));
names.forEach((name, k) => whole[k].set(fs.readFileSync(`${folder}/${name}.bin`)));
const place = (name, i) => places[name] + i * sizes[name];
const rewards = new Float32Array(memory, places.rewards, games * players);
const ends = new Int8Array(memory, places.ends, games);
const seats = new Int8Array(memory, places.seats, games);
const lines = [], began = performance.now();
let hashing = 0;
for (let step = 0; step < steps; step += 1) {
  for (let i = 0; i < games; i += 1) {
    const state = place("states", i), words = place("words", i);
    let seat = rules.act(state, Number(rules.random_action(state, place("choice", i))), words);
    const isOver = seat === -1n;
    ends[i] = isOver ? 1 : 0;
    for (let player = 0; player < players; player += 1) {
      rewards[i * players + player] = isOver ? rules.game_return(state, player) : 0;
    }
    if (isOver) seat = rules.start(state, place("deal", i), words);
    seats[i] = Number(seat);
    rules.observe(state, seats[i], place("observations", i));
    rules.write_mask(state, place("masks", i));
  }
  const before = performance.now(), digest = createHash("sha256");
  for (const bytes of whole) digest.update(bytes);
  lines.push(digest.digest("hex"));
  hashing += performance.now() - before;
}
fs.writeFileSync(`${folder}/digests.txt`, lines.join("\n"));
console.log(JSON.stringify({ seconds: (performance.now() - began - hashing) / 1000, decisions: games * steps }));
