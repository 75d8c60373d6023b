"""Loops of many games (`romans_agents.batches.game_arrays`): compiled agents play until an agent outside must decide.

A loop template (`romans_env.compiling`). ``game`` is the game's `romans_env.engine.step_functions`, ``players`` its
compiled agents (`romans_env.core.parts`). An agent's code is a number: EXTERNAL for a seat whose decisions come
from outside, RANDOM for `random`; others are the game's own. ``games`` is a
`romans_agents.batches.game_arrays.GameArrays`, ``indices`` are numbers of games: int64, shape (k,).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_agents.loops.codes import ACTS, EXTERNAL, LEARNER, OBSERVES, RANDOM, REWARDS, STARTS
from romans_env.compiling.decorators import cached_jit, inlined, jitted
from romans_env.engine.ends import ENDED, ENDED_ILLEGAL, GOES_ON
from romans_env.engine.random_stream import below

if TYPE_CHECKING:
    from romans_agents.romans_go_home import compiled_agents as players  # any game's; an editor follows these
    from romans_env.engine import rule_steps as game


@inlined
def scratch_of(states):
    """Return a record for what a compiled agent may see; each call of a loop has its own, so that threads may call."""
    return np.empty_like(states[:1])


@jitted
def run_game(states, i, controllers, streams, words, scratch):
    """Play on until a seat whose decisions come from outside must decide."""
    while not game.is_over(states, i):
        code = controllers[i, game.seat_to_act(states, i)]
        if code == EXTERNAL:
            break
        if code == RANDOM:
            game.act(states, i, game.random_action(states, i, streams, i), words)
        else:
            players.play(code, states, i, scratch, streams, words)


@cached_jit(nogil=True)
def start_games(games, indices):
    """Start games with chance from their deal streams, which move on; the chance words are written."""
    for i in indices:
        game.start(games.states, i, games.deal_streams, games.words)


@cached_jit(nogil=True)
def run_games(games):
    """Run every game on to its next decision from outside, or its end."""
    states, _, controllers, _, streams, words = games
    scratch = scratch_of(states)
    for i in range(states.shape[0]):
        run_game(states, i, controllers, streams, words, scratch)


@cached_jit(nogil=True)
def act_in_games(games, indices, actions):
    """Play ``actions[k]`` in game ``indices[k]``, and run those games on.

    Returns:
        -1, or the first k whose action is not legal: the games before it have been played, it and later ones not.
    """
    states, _, controllers, _, streams, words = games
    scratch = scratch_of(states)
    for k in range(indices.shape[0]):
        if not game.is_legal(states, indices[k], actions[k]):
            return k
        game.act(states, indices[k], actions[k], words)
        run_game(states, indices[k], controllers, streams, words, scratch)
    return -1


@cached_jit(nogil=True)
def observe_games(states, indices, observations, masks):
    """Write the observation and the action mask of the seat that decides in each of the games."""
    for k in range(indices.shape[0]):
        game.observe(states, indices[k], game.seat_to_act(states, indices[k]), observations, k)
        game.write_mask(states, indices[k], masks, k)


@cached_jit(nogil=True)
def run_learners(stages, games, learner, actions, step, first, last):
    """Take the games [first, last) through stages of a learner's step, all stages of a game at once.

    - ACTS: the learner's action is played, and the game runs on to the next decision from outside. Where the action is
      not legal, the reward is ``illegal_reward``, and either the first legal action is played that strides from it
      reach (``replaced``), or ``ends`` becomes ENDED_ILLEGAL and the game stays as it is. A game that waits ignores the
      action.
    - REWARDS: the reward since the learner's last decision is added. Where the game is over, ``ends`` becomes ENDED,
      ``final`` gets the observation, and it starts again, or waits. A game that waited starts, with reward 0.
    - STARTS: a new game where ``actions`` is not 0.
    - OBSERVES: the learner's observation and action mask are written; the mask of a game that waits is all zeros.

    Args:
        stages: the sum of the stages.
        games: `romans_agents.batches.game_arrays.GameArrays`.
        learner: `romans_agents.batches.game_arrays.LearnerSeats`.
        actions: the learner's actions, or for STARTS which games start: int64, shape (n,).
        step: `romans_agents.batches.game_arrays.LearnerStep`.
        first: the first game.
        last: the game after the last one.
    """
    # One function, without helpers that would be ir_inlined in: numba counts references to arrays wherever those are
    # assigned on a branch, and that took as long as the game.
    states, who, controllers, deal_streams, streams, words = games
    (
        seats,
        last_points,
        won,
        points,
        needs_reset,
        codes,
        mixes_opponents,
        fixed_seat,
        rewards_points,
        restarts_at_once,
        illegal_reward,
        stride,
        replaced,
    ) = learner
    observations, masks, rewards, ends, final = step
    num_players = game.num_players(states)
    scratch = scratch_of(states)
    for i in range(first, last):
        starts = stages & STARTS != 0 and actions[i] != 0
        if stages & ACTS:
            action = actions[i]
            rewards[i] = 0.0
            ends[i] = GOES_ON
            replaced[i] = 0
            if not needs_reset[i]:
                if not game.is_legal(states, i, action):
                    rewards[i] = illegal_reward
                    if stride > 0:
                        replaced[i] = 1
                        while not game.is_legal(states, i, action):
                            action = (action + stride) % masks.shape[1]
                    else:
                        ends[i] = ENDED_ILLEGAL
                if ends[i] == GOES_ON:
                    game.act(states, i, action, words)
                    run_game(states, i, controllers, streams, words, scratch)
        if stages & REWARDS:
            seat = seats[i]
            if needs_reset[i]:
                starts = True
            elif ends[i] == GOES_ON:
                if game.is_over(states, i):
                    ends[i] = ENDED
                    won[i] = game.is_winner(states, i, seat)
                if rewards_points:
                    rewards[i] += game.points(states, i, seat) - last_points[i]
                    last_points[i] = game.points(states, i, seat)
                elif ends[i] == ENDED:
                    rewards[i] += game.game_return(states, i, seat)
            if ends[i] != GOES_ON:
                game.observe(states, i, seat, final, i)
                points[i] = game.points(states, i, seat)
                if restarts_at_once:
                    starts = True
                else:
                    needs_reset[i] = 1
        if starts:
            needs_reset[i] = 0
            game.start(states, i, deal_streams, words)
            seats[i] = below(deal_streams, i, num_players) if fixed_seat < 0 else fixed_seat
            for k in range(num_players):
                seat = (seats[i] + k) % num_players
                if k == 0:
                    who[i, seat] = LEARNER
                    controllers[i, seat] = EXTERNAL
                else:
                    pick = below(deal_streams, i, codes.shape[0]) if mixes_opponents else k - 1
                    who[i, seat] = pick
                    controllers[i, seat] = codes[pick]
            last_points[i] = game.points(states, i, seats[i])
            run_game(states, i, controllers, streams, words, scratch)
        if stages & OBSERVES:
            game.observe(states, i, seats[i], observations, i)
            if needs_reset[i]:
                for action in range(masks.shape[1]):
                    masks[i, action] = 0
            else:
                game.write_mask(states, i, masks, i)
