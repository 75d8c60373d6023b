"""Other libraries, as far as they are installed: Pgx, OpenSpiel, RLCard, Catanatron.

PettingZoo's own environments are measured with the AEC API, in `benchmarks.speed.env_apis`.
"""

from __future__ import annotations

import os
import random
from functools import partial
from typing import Any

from benchmarks.speed.timing import Case, Chunk

PGX_LEDUC = "Pgx leduc_holdem, N = 4096"
CATANATRON = "Catanatron, 4 players, gymnasium"
_PGX_GAMES = ("kuhn_poker", "leduc_holdem", "connect_four", "sparrow_mahjong")


def batches() -> list[Case]:
    """Return the cases of Pgx: compiled batches with mask, observation, auto-reset and random legal actions."""
    return [Case(f"Pgx {game}, N = 4096", partial(pgx_chunk, game, 4096), is_baseline=True) for game in _PGX_GAMES]


def whole_games() -> list[Case]:
    """Return the cases of OpenSpiel and RLCard: one game at a time from Python."""
    return [
        Case("OpenSpiel hearts, with tensors", partial(_open_spiel, "hearts"), is_baseline=True),
        Case("OpenSpiel goofspiel, with tensors", partial(_open_spiel, "goofspiel"), is_baseline=True),
        Case("RLCard leduc-holdem", partial(_rlcard, "leduc-holdem"), is_baseline=True),
        Case("RLCard uno", partial(_rlcard, "uno"), is_baseline=True),
    ]


def pgx_chunk(game: str, size: int) -> Chunk:
    """Return steps of many games of Pgx, on JAX's default device."""
    # One core, as for the other libraries.
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))
    steps_of_a_chunk = 32

    def play(carry: Any, _: Any) -> tuple[Any, Any]:
        state, key = carry
        key, choice, chance = jax.random.split(key, 3)
        noise = jax.random.uniform(choice, state.legal_action_mask.shape)
        action = (state.legal_action_mask * (noise + 1)).argmax(axis=1)
        state = step(state, action, jax.random.split(chance, size))
        return (state, key), state.observation.sum()  # used, so that JAX does not optimise the observation away

    run = jax.jit(lambda carry: jax.lax.scan(play, carry, None, length=steps_of_a_chunk))
    carry = (jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(1), size)), jax.random.PRNGKey(2))

    def chunk() -> int:
        nonlocal carry
        carry, seen = run(carry)
        seen.block_until_ready()
        return steps_of_a_chunk * size

    return chunk


def _open_spiel(name: str) -> Chunk:
    import pyspiel

    parameters = {"imp_info": True, "returns_type": "win_loss"} if name == "goofspiel" else {}
    game = pyspiel.load_game(name, parameters)

    def chunk() -> int:
        steps, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, weights)[0])
            elif state.is_simultaneous_node():
                for player in range(game.num_players()):
                    state.information_state_tensor(player)
                state.apply_actions([random.choice(state.legal_actions(p)) for p in range(game.num_players())])
                steps += game.num_players()
            else:
                state.information_state_tensor()
                state.apply_action(random.choice(state.legal_actions()))
                steps += 1
        return steps

    return chunk


def _rlcard(name: str) -> Chunk:
    import rlcard

    env = rlcard.make(name)

    def chunk() -> int:
        steps = 0
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return chunk


def catanatron() -> Case:
    """Return the case of Catanatron's gymnasium environment, a game of cards, trade and a map; each decision is a step.

    It is installed by ``pip install catanatron`` and ``pip install --no-deps catanatron-gym``; the latter would
    otherwise ask for an older gymnasium.
    """
    return Case(CATANATRON, _catanatron, is_baseline=True)


def _catanatron() -> Chunk:
    import gymnasium
    from catanatron import Color, RandomPlayer

    # The three rivals are Catanatron's own random players; their decisions count as steps, too.
    rivals = [RandomPlayer(color) for color in (Color.RED, Color.ORANGE, Color.WHITE)]
    env = gymnasium.make("catanatron_gym:catanatron-v1", config={"enemies": rivals}, disable_env_checker=True)
    game: Any = env.unwrapped

    def chunk() -> int:
        env.reset()
        is_over = False
        while not is_over:
            _, _, terminated, truncated, _ = env.step(random.choice(game.get_valid_actions()))
            is_over = terminated or truncated
        return len(game.game.state.actions)

    return chunk
