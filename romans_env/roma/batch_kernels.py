"""The game's `romans_env.batch.BatchKernels`, compiled."""

from __future__ import annotations

import numpy as np

from romans_env.engine.compiled import cached_jit, inlined
from romans_env.engine.ends import ENDED, ENDED_ILLEGAL, GOES_ON
from romans_env.engine.random_stream import WORDS, next_word
from romans_env.roma.actions import NUM_ACTIONS, allows, random_action, write_mask
from romans_env.roma.cards import NUM_SEATS
from romans_env.roma.end import return_of
from romans_env.roma.game_flow import apply, settle
from romans_env.roma.observation import observe
from romans_env.roma.opening import set_up
from romans_env.roma.state import PHASE_OVER


@inlined
def start_from_stream(state, streams, words, i, event):
    """Draw a game's chance words from stream i, and start it: what `romans_env.chance.start_from_stream` does."""
    for word in range(WORDS):
        words[i, word] = next_word(streams, i)
    set_up(state)
    settle(state, words, i, event)


@cached_jit(nogil=True)
def start_games(states, deal_streams, words, out, first, last):
    """`BatchKernels.start_games`."""
    event = np.empty((1, WORDS), dtype=np.int64)
    for i in range(first, last):
        state = states[i]
        start_from_stream(state, deal_streams, words, i, event)
        for seat in range(NUM_SEATS):
            out.rewards[i, seat] = 0.0
        out.ends[i] = GOES_ON
        out.seats[i] = state.seat
        observe(state, state.seat, out.observations, i)
        write_mask(state, out.masks, i)


@cached_jit(nogil=True)
def step_games(states, actions, chooses, watches, deal_streams, choice_streams, words, out, first, last):
    """`BatchKernels.step_games`."""
    observations, masks, seats, rewards, ends = out
    event = np.empty((1, WORDS), dtype=np.int64)
    for i in range(first, last):
        state = states[i]
        seat = state.seat
        if chooses:
            actions[i] = random_action(state, choice_streams, i)
        action = actions[i]
        end = GOES_ON
        if action < 0 or action >= NUM_ACTIONS or not allows(state, action):
            end = ENDED_ILLEGAL
        else:
            apply(state, action)
            settle(state, words, i, event)
            if state.phase == PHASE_OVER:
                end = ENDED
        for other in range(NUM_SEATS):
            rewards[i, other] = 0.0
        if end != GOES_ON:
            if end == ENDED_ILLEGAL:
                rewards[i, seat] = -1.0
            else:
                for other in range(NUM_SEATS):
                    rewards[i, other] = return_of(state, other)
            start_from_stream(state, deal_streams, words, i, event)
        ends[i] = end
        seats[i] = state.seat
        if watches:
            observe(state, state.seat, observations, i)
            write_mask(state, masks, i)


@cached_jit(nogil=True)
def play_out_games(states, streams, words, returns, lengths, first, last):
    """`BatchKernels.play_out_games`."""
    event = np.empty((1, WORDS), dtype=np.int64)
    for i in range(first, last):
        state = states[i]
        length = np.int64(0)
        while state.phase != PHASE_OVER:
            apply(state, random_action(state, streams, i))
            settle(state, words, i, event)
            length += 1
        for seat in range(NUM_SEATS):
            returns[i, seat] = return_of(state, seat)
        lengths[i] = length
