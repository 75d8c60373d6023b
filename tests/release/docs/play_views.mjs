// Plays games as docs/site/play does, and writes what is shown of them: node play_views.mjs FOLDER.
// FOLDER has the modules, the scripts of the games, and asked.json; answered.json is written.
import fs from "node:fs";

const [, , folder] = process.argv;
const part = (name) => import(`${folder}/${name}.js`);
const [{ gameOf }, { LocalGame }, { Network }] = await Promise.all(["games", "local_game", "network"].map(part));
const { games, opinions: wanted } = JSON.parse(fs.readFileSync(`${folder}/asked.json`));
const held = (name) => {
  (0, eval)(fs.readFileSync(`${folder}/${name}.js`, "utf8"));
  return globalThis.RomansPlay[name];
};

const network = await Network.load(held("tiro")), kinds = {};
const legalOf = (mask) => [...mask.keys()].filter((action) => mask[action]);
const opinions = (wanted?.observations ?? []).map((observation, k) => {
  const legal = legalOf(wanted.masks[k]);
  return { ...network.opinion(observation, legal), action: network.act(observation, legal, wanted.draws[k]) };
});

const played = [];
for (const { name, setup, seed, agents, most, isNarrow } of games) {
  const kind = kinds[name] ??= await gameOf(held(name));
  const local = new LocalGame({ rules: await kind.rulesOf(setup), shown: kind.shown }, seed, agents);
  const { game, rules } = local, views = [local.view(isNarrow)];
  for (let k = 0; k < most && !game.is_over; k += 1) {
    const seat = game.seat_to_act, legal = game.legal_actions(), agent = agents[seat];
    let action = legal[(k * 7) % legal.length];
    if (agent === "tiro") action = network.act(rules.observation(game.states, seat), legal, rules.uniform());
    else if (agent) action = rules.scripted(game.states, seat, kind.about.scripted[agent]);
    for (const frame of local.act(action)) views.push(local.sent(frame, isNarrow));
  }
  played.push({ views, record: local.record() });
}
fs.writeFileSync(`${folder}/answered.json`, JSON.stringify({ opinions, played }));
