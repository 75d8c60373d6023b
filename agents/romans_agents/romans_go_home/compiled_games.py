"""Compiled games with scripted players inside: many games, each run on until a seat that is not scripted must decide.

A seat's controller is a number: EXTERNAL, or the ``compiled_code`` of an agent. Scripted players get a private view of
the record, as every agent does.
"""

from __future__ import annotations

import numpy as np

from romans_agents.kernels import ACTS, LEARNER, OBSERVES, SETTLES, STARTS
from romans_agents.romans_go_home.characters import EXTERNAL, FIRST_WEIGHING, RANDOM, planned_order, scripted_action
from romans_agents.romans_go_home.plans import lay_plan
from romans_env.engine.compiled import cached_jit, inlined, ir_inlined, jitted
from romans_env.engine.ends import ENDED, ENDED_ILLEGAL, GOES_ON
from romans_env.engine.random_stream import below
from romans_env.romans_go_home.actions import NUM_ACTIONS, bit, random_action
from romans_env.romans_go_home.batch_kernels import write_mask
from romans_env.romans_go_home.cards import HAND_SIZE
from romans_env.romans_go_home.deal import draw_deal
from romans_env.romans_go_home.game_flow import apply, begin
from romans_env.romans_go_home.knowledge import hide
from romans_env.romans_go_home.observation import observe
from romans_env.romans_go_home.scoring import return_of, winners_of
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_GAME_OVER


@inlined
def one_record(states):
    """Scratch for what a scripted player may see; each call of an entry point has its own, so that threads may call."""
    return np.empty_like(states[:1])


@ir_inlined
def play_scripted(character, states, i, records):
    """Let a scripted player decide. A plan is made once and laid at a stretch."""
    state = states[i]
    seat = np.int64(state.seat)
    records[0] = state
    hide(records[0], seat)
    if state.phase == PHASE_DISCARD:
        plan = np.empty(HAND_SIZE, dtype=np.int64)
        planned_order(character, records[0], seat, plan)
        lay_plan(state, seat, plan, 0)
    else:
        apply(state, scripted_action(character, records[0], seat))


@jitted
def run_scripted(states, i, controllers, streams, records):
    """Play on until a seat with an EXTERNAL controller must decide, or one that evaluates plans must plan."""
    state = states[i]
    while state.phase != PHASE_GAME_OVER:
        controller = controllers[i, state.seat]
        if controller == EXTERNAL or (controller >= FIRST_WEIGHING and state.phase == PHASE_DISCARD):
            break
        if controller == RANDOM:
            apply(state, random_action(state.legal, streams, i))
        else:
            play_scripted(controller, states, i, records)


@cached_jit(nogil=True)
def run_all(states, controllers, streams):
    """Run every game on to its next external decision or its end."""
    records = one_record(states)
    for i in range(states.shape[0]):
        run_scripted(states, i, controllers, streams, records)


@cached_jit(nogil=True)
def act_in(states, indices, actions, controllers, streams):
    """Play ``actions[k]`` in game ``indices[k]`` and run those games on.

    Returns:
        -1, or the first k whose action is not legal; the games before it have been played, it and later ones not.
    """
    records = one_record(states)
    for k in range(indices.shape[0]):
        state = states[indices[k]]
        action = actions[k]
        if action < 0 or action >= NUM_ACTIONS or state.legal & bit(action) == 0:
            return k
        apply(state, action)
        run_scripted(states, indices[k], controllers, streams, records)
    return -1


@cached_jit(nogil=True)
def observe_in(states, indices, observations, masks):
    """Write, for each game of ``indices``, the observation and mask of the seat that must decide."""
    for k in range(indices.shape[0]):
        state = states[indices[k]]
        observe(state, state.seat, observations, k)
        write_mask(state.legal, masks, k)


@cached_jit(nogil=True)
def run_learners(stages, states, learner, deal_streams, streams, actions, step, first, last):
    """`romans_agents.kernels.Kernels.run_learners`.

    It is one function, without helpers that would be ir_inlined in, because numba counts references to arrays wherever
    those are assigned on a branch; that took as long as the game.
    """
    seats, who, controllers, last_points, won, points, _, codes, mixes_opponents, fixed_seat, rewards_points = learner
    rewards, ends, final, observations, masks = step
    records = one_record(states)
    for i in range(first, last):
        state = states[i]
        starts = stages & STARTS != 0
        if stages & ACTS:
            action = actions[i]
            if action < 0 or action >= NUM_ACTIONS or state.legal & bit(action) == 0:
                rewards[i] = -1.0
                ends[i] = ENDED_ILLEGAL
            else:
                rewards[i] = 0.0
                ends[i] = GOES_ON
                apply(state, action)
                run_scripted(states, i, controllers, streams, records)
        if stages & SETTLES:
            seat = seats[i]
            if ends[i] == GOES_ON:
                if state.phase == PHASE_GAME_OVER:
                    ends[i] = ENDED
                    won[i] = (winners_of(state) >> seat) & 1
                if rewards_points:
                    rewards[i] = state.points[seat] - last_points[i]
                    last_points[i] = state.points[seat]
                elif ends[i] == ENDED:
                    rewards[i] = return_of(state, seat)
            if ends[i] != GOES_ON:
                observe(state, seat, final, i)
                points[i] = state.points[seat]
                starts = True
        if starts:
            draw_deal(state, deal_streams, i)
            seats[i] = below(deal_streams, i, state.num_players) if fixed_seat < 0 else fixed_seat
            for k in range(state.num_players):
                seat = (seats[i] + k) % state.num_players
                if k == 0:
                    who[i, seat] = LEARNER
                    controllers[i, seat] = EXTERNAL
                else:
                    pick = below(deal_streams, i, codes.shape[0]) if mixes_opponents else k - 1
                    who[i, seat] = pick
                    controllers[i, seat] = codes[pick]
            last_points[i] = 0
            begin(state)
            run_scripted(states, i, controllers, streams, records)
        if stages & OBSERVES:
            observe(state, seats[i], observations, i)
            write_mask(state.legal, masks, i)


@cached_jit
def act_scripted(character, views, i, seat):
    """`scripted_action` for Python; ``views[i]`` may be used as scratch."""
    return np.int64(scripted_action(character, views[i], seat))
