"""The loops of `romans_agents.kernels.Kernels`: compiled agents play until an agent outside must decide.

A template of `romans_env.engine.loops`. ``game`` is the game's module of step functions, ``players`` that of its
compiled agents: ``play(code, states, i, scratch, streams, words)`` plays one decision, and ``waits(code, states, i)``
says whether it is left to `Kernels.plan`. An agent's code is a number: EXTERNAL for a seat whose decisions come from
outside, RANDOM for `random`; others are the game's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from romans_agents.loops.codes import ACTS, EXTERNAL, LEARNER, OBSERVES, RANDOM, SETTLES, STARTS
from romans_env.engine.compiled import cached_jit, inlined, jitted
from romans_env.engine.ends import ENDED, ENDED_ILLEGAL, GOES_ON
from romans_env.engine.random_stream import below

game: Any = None
players: Any = None


@inlined
def scratch_of(states):
    """A record for what a compiled agent may see; each call of a loop has its own, so that threads may call."""
    return np.empty_like(states[:1])


@jitted
def run_game(states, i, controllers, streams, words, scratch):
    """Play on until a seat whose decisions come from outside must decide, or one whose agent waits for its plan."""
    while not game.is_over(states, i):
        controller = controllers[i, game.seat_to_act(states, i)]
        if controller == EXTERNAL or players.waits(controller, states, i):
            break
        if controller == RANDOM:
            game.act(states, i, game.random_action(states, i, streams, i), words)
        else:
            players.play(controller, states, i, scratch, streams, words)


@cached_jit(nogil=True)
def start(states, games, deal_streams, words):
    for k in range(games.shape[0]):
        game.start(states, games[k], deal_streams, words)


@cached_jit(nogil=True)
def run(states, controllers, streams, words):
    scratch = scratch_of(states)
    for i in range(states.shape[0]):
        run_game(states, i, controllers, streams, words, scratch)


@cached_jit(nogil=True)
def act(states, games, actions, controllers, streams, words):
    scratch = scratch_of(states)
    for k in range(games.shape[0]):
        if not game.is_legal(states, games[k], actions[k]):
            return k
        game.act(states, games[k], actions[k], words)
        run_game(states, games[k], controllers, streams, words, scratch)
    return -1


@cached_jit(nogil=True)
def observe(states, games, observations, masks):
    for k in range(games.shape[0]):
        game.observe(states, games[k], game.seat_to_act(states, games[k]), observations, k)
        game.write_mask(states, games[k], masks, k)


@cached_jit(nogil=True)
def run_learners(stages, states, learner, deal_streams, streams, actions, step, first, last):
    """One function, without helpers that would be ir_inlined in, because numba counts references to arrays wherever
    those are assigned on a branch; that took as long as the game.
    """
    seats, who, controllers, last_points, won, points, words, codes, mixes_opponents, fixed_seat, rewards_points = (
        learner
    )
    rewards, ends, final, observations, masks = step
    num_players = game.num_players(states)
    scratch = scratch_of(states)
    for i in range(first, last):
        starts = stages & STARTS != 0
        if stages & ACTS:
            action = actions[i]
            if not game.is_legal(states, i, action):
                rewards[i] = -1.0
                ends[i] = ENDED_ILLEGAL
            else:
                rewards[i] = 0.0
                ends[i] = GOES_ON
                game.act(states, i, action, words)
                run_game(states, i, controllers, streams, words, scratch)
        if stages & SETTLES:
            seat = seats[i]
            if ends[i] == GOES_ON:
                if game.is_over(states, i):
                    ends[i] = ENDED
                    won[i] = game.is_winner(states, i, seat)
                if rewards_points:
                    rewards[i] = game.points(states, i, seat) - last_points[i]
                    last_points[i] = game.points(states, i, seat)
                elif ends[i] == ENDED:
                    rewards[i] = game.game_return(states, i, seat)
            if ends[i] != GOES_ON:
                game.observe(states, i, seat, final, i)
                points[i] = game.points(states, i, seat)
                starts = True
        if starts:
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
            game.write_mask(states, i, masks, i)
