"""The games as TextArena environments, with positions and answers in words.

    pip install romans-env textarena
    python examples/textarena_romans.py --agents random,greedy --games 4
    python examples/textarena_romans.py --agents ollama:qwen3:8b,greedy --games 1

`describe` puts a seat's view of the position into words; `plan_of` reads the last JSON object in the answer,
``{"actions": ["place:axx", ...]}``. TextArena's agents can play without changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
import textarena as ta

import romans_agents
from romans_env import Game
from romans_env.core.games import DEFAULT_GAME, names, spec_of
from romans_env.render.language import AnswerError, describe, format_answer, introduce, plan_of
from romans_env.render.text_interface import NO_BREAK, text_interface_of

_OLLAMA = "ollama:"


class RomansEnv(ta.Env):
    """A TextArena environment of a game.

    Player ids are seats. A player first gets an introduction to the game; then, at each of its decisions, the events
    since its last decision and the position, as far as its seat may know them. The actions of an answer are played as
    long as it is certain that the same seat decides. Rewards are the returns of the seats, in [-1, 1]. A player whose
    answers fail too often in a row loses, and the others share the win.

    Args:
        game: the name of the game.
        error_allowance: the number of consecutive answers that may fail to name a legal action before the player loses.
        settings: settings of the game's setup, except for the number of players, which `reset` takes.
    """

    def __init__(self, game: str = DEFAULT_GAME, error_allowance: int = 3, **settings: Any):
        self._spec, self._error_allowance, self._settings = spec_of(game), error_allowance, settings

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start a game.

        Args:
            num_players: the number of seats.
            seed: decides all chance; None for a random seed.

        Raises:
            ValueError: if the game cannot be played with this number of players.
        """
        self.game = Game(self._spec.make_rules(num_players=num_players, **self._settings), seed=seed)
        self._shown = [0] * num_players
        self.state = ta.FFAMultiPlayerState(num_players, seed=seed, error_allowance=self._error_allowance)
        self.state.reset(
            player_prompt_function=lambda player_id, game_state: introduce(self._spec.name),
            role_mapping=dict(enumerate(self.game.players)),
        )
        self._ask()

    def step(self, action: str) -> tuple[bool, ta.Info]:
        """Play the answer of the player to act; return whether the game is over, and TextArena's info."""
        seat = self.game.seat_to_act
        assert seat is not None
        # A player's answer is hidden from the others, because its plan is hidden.
        self.state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=seat, to_id=seat)
        try:
            plan = plan_of(action, self.game.view(seat))
        except AnswerError as error:
            if self.state.set_invalid_move(f"{error}."):
                self._lose(seat, str(error))
        else:
            for played in plan.actions:
                self.game.act(played)
            if self.game.is_over:
                points = ", ".join(f"{player} {number}" for player, number in self.game.points().items())
                self._end(self.game.returns(), f"The game is over. Points: {points}.")
            else:
                self._ask()
        done, info = self.state.step(rotate_player=False)
        return done, info

    def _ask(self) -> None:
        """Show the seat to act the latest events and its view."""
        seat = self.game.seat_to_act
        assert seat is not None
        self.state.manually_set_current_player_id(seat)
        story = text_interface_of(self._spec.name).story(self.game, self.game.players[seat])
        for line in story[self._shown[seat] :]:
            text = line.replace(NO_BREAK, " ")
            self.state.add_observation(text, ta.ObservationType.GAME_ACTION_DESCRIPTION, to_id=seat)
        self._shown[seat] = len(story)
        self.state.add_observation(describe(self.game.view(seat)), ta.ObservationType.GAME_BOARD, to_id=seat)

    def _lose(self, loser: int, why: str) -> None:
        players = self.game.players
        shared = 1.0 / max(len(players) - 1, 1)
        returns = {player: -1.0 if seat == loser else shared for seat, player in enumerate(players)}
        self._end(returns, f"{players[loser]} named no legal action too often; in the last answer: {why}.")

    def _end(self, returns: Mapping[str, float], reason: str) -> None:
        rewards = {seat: returns[player] for seat, player in enumerate(self.game.players)}
        self.state.set_game_outcome(rewards, reason)


class Decision(ta.ObservationWrapper):
    """The observation as text: an introduction to the game, the events since the last decision, and the decision.

    A view contains all that a seat may know. So older messages are left out, and prompts do not grow.
    """

    def __init__(self, env: ta.Env):
        super().__init__(env)
        self._prompts: dict[int, str] = {}
        self._boards: dict[int, str] = {}

    def observation(self, player_id: int, observation: list[tuple[int, str, ta.ObservationType]]) -> str:
        """Return the text of a player's new messages; if a decision is repeated, its text is repeated, too."""
        news = []
        for _, message, kind in observation:
            if kind == ta.ObservationType.PROMPT:
                self._prompts[player_id] = message
            elif kind == ta.ObservationType.GAME_BOARD:
                self._boards[player_id] = message
            elif kind != ta.ObservationType.PLAYER_ACTION:
                news.append(message)
        return "\n".join([self._prompts[player_id], *news, "", self._boards[player_id]])


class SeatAgent(ta.Agent):
    """An agent of this package as a TextArena agent: it gets the view of its seat, and answers in words.

    Args:
        env: the environment in which it plays.
        spec: the agent spec.
    """

    def __init__(self, env: RomansEnv, spec: str):
        self._env, self._agent = env, romans_agents.make(spec, game=env.game.rules.name)

    def __call__(self, observation: str) -> str:
        seat = self._env.game.seat_to_act
        assert seat is not None
        view = self._env.game.view(seat)
        return format_answer([self._agent.act(view)], view)


def play(env: ta.Env, agents: Sequence[Callable[[str], str]]) -> tuple[dict[int, float], dict[int, dict[str, Any]]]:
    """Play a game to its end after its reset; return the rewards and TextArena's notes by player."""
    done = False
    while not done:
        player, observation = env.get_observation()
        done, _ = env.step(agents[player](observation))
    rewards, notes = env.close()
    return rewards, notes


def register() -> None:
    """Register the games for ``ta.make``, under names such as ``RomansGoHome-v0``."""
    for game in names():
        ta.register(spec_of(game).env_id, RomansEnv, default_wrappers=[Decision], game=game)


@click.command()
@click.option("--game", type=click.Choice(names()), default=DEFAULT_GAME, show_default=True, help="Name of the game.")
@click.option(
    "--agents",
    default="random,greedy",
    show_default=True,
    help="Agents of all seats: agent specs, or ollama:MODEL for a model of a local Ollama.",
)
@click.option("--games", default=2, show_default=True, help="Number of games.")
@click.option("--seed", default=1, show_default=True, help="Seed of the first game; the others count up from it.")
def main(game: str, agents: str, games: int, seed: int) -> None:
    """Play games between TextArena's agents and agents of this package."""
    specs = agents.split(",")
    for number in range(games):
        env = ta.make(spec_of(game).env_id)
        env.reset(num_players=len(specs), seed=seed + number)
        seated = [
            ta.agents.OllamaAgent(spec.removeprefix(_OLLAMA)) if spec.startswith(_OLLAMA) else SeatAgent(env, spec)
            for spec in specs
        ]
        rewards, notes = play(env, seated)
        shown = ", ".join(f"{spec} {rewards[seat]:+g}" for seat, spec in enumerate(specs))
        click.echo(f"game {number + 1}: {shown}. {notes[0]['reason']}")


register()

if __name__ == "__main__":
    main()
