// The games, each of which a script holds: it is loaded when the game is begun.

import { unpacked } from "./packing.js";
import * as $ from "./python.js";
import * as host from "./compiled_rules.js";

// What a `TextInterface` has, from its parts.
const interface_of = ({ choice, ...others }) => ({
  ...others,
  choices: (game, viewer, actions, seat_names) => {
    const position = game.position(viewer);
    return actions.map((action) => choice(position, viewer, game.action_name(action), seat_names));
  },
});
// All chance of Romans Go Home! is one event, whose outcome is a record.
const dealOf = (of_record) => (rules, outcomes) => (
  of_record ? of_record(outcomes[0].item(0), rules.setup) : { outcomes }
);

// Args: script, what a script of a game holds.
export const gameOf = async ({ about, program }) => {
  const { rules_of, renderer, deal_of_record, ...shown } = program($, { ...host, interface_of });
  const data = await unpacked(about.data);
  const moments = (rules, before, action, outcomes) => (
    renderer.moments ? renderer.moments(rules, before, action, outcomes)
      : [[null, rules.events(before, 0, action, outcomes)]]
  );
  return {
    about,
    shown: { ...shown, moments, deal: dealOf(deal_of_record) },
    rulesOf: async (setup) => {
      const { instance } = await WebAssembly.instantiate(data);
      return rules_of(setup).set_up(about.setups[setup], instance.exports);
    },
  };
};
