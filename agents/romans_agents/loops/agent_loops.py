"""Loops over many games, in which compiled agents play until a seat is to act that is played from outside the loops.

A loop template (`romans_env.compiling.templates`): ``game`` stands for the game's
`romans_env.engine.step_functions`, ``players`` for its compiled agents (`romans_env.core.parts.Players`).

In all functions, ``games`` is a `romans_agents.batches.game_arrays.GameArrays` and ``indices`` are indices of games,
int64, shape ``(k,)``. The code of an agent is EXTERNAL for a seat that is played from outside, RANDOM for `random`, or
the number of one of the game's own compiled agents.
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
    """Return a scratch record, shape ``(1,)``, for the private view of a compiled agent.

    Every call of a loop allocates its own scratch record, so that threads can run loops in parallel.
    """
    return np.empty_like(states[:1])


@jitted
def run_game(states, i, controllers, streams, words, scratch):
    """Continue game ``i`` until a seat is to act that is played from outside, or the game is over.

    Args:
        states: records, shape ``(n,)``.
        i: index of the game.
        controllers: the code of the agent on each seat, int8, shape ``(n, seats)``.
        streams: random streams of the compiled agents, int64, shape ``(n, 4)``.
        words: chance words, int64, shape ``(n, 4)``.
        scratch: a scratch record, shape ``(1,)``.
    """
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
    """Start games; their chance words are drawn from their deal streams, which advance."""
    for i in indices:
        game.start(games.states, i, games.deal_streams, games.words)


@cached_jit(nogil=True)
def run_games(games):
    """Run every game until a seat that is played from outside is to act, or the game is over."""
    states, _, controllers, _, streams, words = games
    scratch = scratch_of(states)
    for i in range(states.shape[0]):
        run_game(states, i, controllers, streams, words, scratch)


@cached_jit(nogil=True)
def act_in_games(games, indices, actions):
    """For every k, play ``actions[k]`` in game ``indices[k]`` and run that game until its next decision from outside.

    Args:
        games: `romans_agents.batches.game_arrays.GameArrays`.
        indices: indices of games, int64, shape ``(k,)``.
        actions: action ids, int64, shape ``(k,)``.

    Returns:
        -1 if all actions are legal, or else the first k whose action is illegal. Then games ``indices[:k]`` have been
        played and the other games are unchanged.
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
    """Write the observation and the action mask of the seat to act in each of the games.

    Args:
        states: records, shape ``(n,)``.
        indices: indices of games, int64, shape ``(k,)``.
        observations: output in the dtype of the game's observations, shape ``(k, observation_size)``.
        masks: output, int8, shape ``(k, num_actions)``; 1 marks a legal action.
    """
    for k in range(indices.shape[0]):
        game.observe(states, indices[k], game.seat_to_act(states, indices[k]), observations, k)
        game.write_mask(states, indices[k], masks, k)


@cached_jit(nogil=True)
def run_learners(stages, games, learner, actions, step, first, last):
    """Run some stages of a learner's step in the games from ``first`` up to ``last``, one game after the other.

    - ACTS: play the learner's action and run the game to the next decision from outside. If the action is illegal, the
      reward is ``illegal_reward``. Then either the first legal action reached in steps of ``stride`` is played instead
      (``replaced`` becomes 1), or ``ends`` becomes ENDED_ILLEGAL and the game does not change. A game that needs a
      reset ignores the action.
    - REWARDS: add the reward since the learner's last decision. If the game is over, ``ends`` becomes ENDED. A game
      that is over, or was ended by an illegal action, writes its observation to ``final``; then it starts again, or
      waits for a reset in the next step. A game that was waiting for a reset starts, with reward 0.
    - STARTS: start a new game where ``actions`` is not 0.
    - OBSERVES: write the learner's observation and action mask; the mask of a game that waits for a reset is all zeros.

    Args:
        stages: the sum of the stages to run, as bits (`romans_agents.loops.codes`).
        games: `romans_agents.batches.game_arrays.GameArrays`.
        learner: `romans_agents.batches.game_arrays.LearnerSeats`.
        actions: the learner's actions; for STARTS, not 0 for the games that start: int64, shape ``(n,)``.
        step: `romans_agents.batches.game_arrays.LearnerStep`.
        first: the index of the first game.
        last: the index after the last game.
    """
    # This is one long function on purpose: with inlined helpers, numba counts references to arrays that are assigned
    # on a branch, which took as much time as the game itself.
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
