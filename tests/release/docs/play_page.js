// What docs/site/play answers without a page: node play_page.js FOLDER reads asked.json and writes answered.json.
const fs = require("fs");

const [, , folder] = process.argv;
for (const name of ["engine", "rules", "network"]) require(`${folder}/${name}.js`);
const { Rules, Game, Network, rules: about, network: shape } = globalThis.RomansPlay;
const { observations, masks, draws, games } = JSON.parse(fs.readFileSync(`${folder}/asked.json`));

(async () => {
  const rules = await Rules.load(about), network = await Network.load(shape), began = performance.now();
  const opinions = observations.map((observation, k) => {
    const legal = [...masks[k].keys()].filter((action) => masks[k][action]);
    const action = network.act({ observation: () => observation, legal: () => legal, uniform: () => draws[k] });
    return { ...network.opinion(observation, legal), action };
  });
  const perSecond = (1000 * observations.length * 2) / (performance.now() - began);
  const records = games.map(({ table, seed }) => {
    const game = new Game(rules, table, seed);
    while (!game.isOver) game.act(game.seat ? network.act(game) : game.scripted(about.scripted.greedy), 0);
    return game.record({ player_0: "greedy", player_1: "tiro" });
  });
  fs.writeFileSync(`${folder}/answered.json`, JSON.stringify({ opinions, records }));
  console.log(`${perSecond.toFixed(0)} evaluations of the network a second`);
})();
