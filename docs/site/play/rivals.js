// The opponents: scripted agents, and a network if the game has one.

import { held } from "./scripts.js";
import { Network } from "./network.js";

const network = () => held("tiro", (about) => Network.load(about));

// Returns the action of an agent for the seat to act in a `LocalGame`. Args: kind, a game as `gameOf` loads it.
export const choiceOf = async (kind, name, { game, rules }) => {
  const seat = game.seat_to_act, { states } = game, code = kind.about.scripted[name];
  if (code !== undefined) return rules.scripted(states, seat, code);
  return (await network()).act(rules.observation(states, seat), game.legal_actions(), rules.uniform());
};

// Returns an adviser's hint for the person's decision, in the form of `romans serve`.
export const hintOf = async (kind, name, local) => {
  const { game, rules } = local, seat = game.seat_to_act, legal = game.legal_actions();
  if (kind.about.scripted[name] !== undefined) {
    const action = rules.action_name(await choiceOf(kind, name, local));
    return { agent: name, value: null, probabilities: { [action]: 1 } };
  }
  const { probabilities, value } = (await network()).opinion(rules.observation(game.states, seat), legal);
  const named = legal.map((action, k) => [rules.action_name(action), probabilities[k]]);
  named.sort(([, one], [, other]) => other - one);
  return { agent: name, value, probabilities: Object.fromEntries(named) };
};
