// An agent in JavaScript, played as `process:node examples/process_agent.js` (docs/agents/process_agents.md).
// It sends its strongest warriors to the two best forts ahead, and its weakest to the others.

const worth = (fort) => (fort.startsWith("legion") ? 9 : Number(fort.at(-1))); // three Legion forts win at once

function choose({ position, agent, legal_names: names }) {
  const wall = position.wall.map((fort) => fort ?? "none-0"); // names, such as dinary-5
  const kind = position.decision.kind;
  if (kind === "place" || kind === "reorder") {
    const ahead = wall.slice(position.turn + position.clans[agent].hidden.length).map(worth);
    const second = [...ahead].sort((a, b) => b - a)[Math.min(1, ahead.length - 1)];
    return ahead[0] >= second ? names.at(-1) : names[0]; // of warriors, the weakest comes first
  }
  if (kind === "take") {
    const value = (name) => worth(wall[Number(name.at(-1)) - 1]);
    return names.reduce((best, name) => (value(name) > value(best) ? name : best));
  }
  return names[0];
}

function answer(message) {
  switch (message.type) {
    case "hello":
      return { protocol: "romans-process/1", wants: ["position"] };
    case "act":
      return { id: message.id, action: choose(message) };
    default: // a seed, which an agent without chance has no use for, needs no answer
      return null;
  }
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const reply = answer(JSON.parse(line));
  if (reply !== null) process.stdout.write(JSON.stringify(reply) + "\n");
});
