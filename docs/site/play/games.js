// The games, each in a script of its own that is loaded when the game is started.

import { unpacked } from "./packing.js";
import * as $ from "./python.js";
import * as host from "./compiled_rules.js";

// Makes a `TextInterface` from its translated parts.
const interface_of = ({ choice, ...others }) => ({
  ...others,
  choices: (game, viewer, actions, seat_names) => {
    const position = game.position(viewer);
    return actions.map((action) => choice(position, viewer, game.action_name(action), seat_names));
  },
});
// In Romans Go Home! all chance is one event, the deal, whose outcome is a state record.
const dealOf = (of_record) => (rules, outcomes) => (
  of_record ? of_record(outcomes[0].item(0), rules.setup) : { outcomes }
);

// Args: the content of a game's script.
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
