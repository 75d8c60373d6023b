"""The game's `romans_env.batch.BatchKernels`, compiled. Chance is all in the deal: chance words are left alone."""

from __future__ import annotations

import numpy as np

from romans_env.engine.compiled import cached_jit, inlined
from romans_env.engine.ends import ENDED, ENDED_ILLEGAL, GOES_ON
from romans_env.romans_go_home.actions import NUM_ACTIONS, bit, random_action
from romans_env.romans_go_home.deal import draw_deal
from romans_env.romans_go_home.game_flow import apply, begin
from romans_env.romans_go_home.observation import observe
from romans_env.romans_go_home.scoring import return_of
from romans_env.romans_go_home.state import PHASE_GAME_OVER


@inlined
def write_mask(legal, masks, row):
    for action in range(NUM_ACTIONS):
        masks[row, action] = (legal >> np.int64(action)) & np.int64(1)


@cached_jit(nogil=True)
def start_games(states, deal_streams, words, out, first, last):
    """`BatchKernels.start_games`."""
    for i in range(first, last):
        state = states[i]
        draw_deal(state, deal_streams, i)
        begin(state)
        for seat in range(out.rewards.shape[1]):
            out.rewards[i, seat] = 0.0
        out.ends[i] = GOES_ON
        out.seats[i] = state.seat
        observe(state, state.seat, out.observations, i)
        write_mask(state.legal, out.masks, i)


@cached_jit(nogil=True)
def step_games(states, actions, chooses, watches, deal_streams, choice_streams, words, out, first, last):
    """`BatchKernels.step_games`."""
    observations, masks, seats, rewards, ends = out
    for i in range(first, last):
        state = states[i]
        seat = state.seat
        if chooses:
            actions[i] = random_action(state.legal, choice_streams, i)
        action = actions[i]
        end = GOES_ON
        if action < 0 or action >= NUM_ACTIONS or state.legal & bit(action) == 0:
            end = ENDED_ILLEGAL
        else:
            apply(state, action)
            if state.phase == PHASE_GAME_OVER:
                end = ENDED
        for other in range(rewards.shape[1]):
            rewards[i, other] = 0.0
        if end != GOES_ON:
            if end == ENDED_ILLEGAL:
                rewards[i, seat] = -1.0
            else:
                for other in range(state.num_players):
                    rewards[i, other] = return_of(state, other)
            draw_deal(state, deal_streams, i)
            begin(state)
        ends[i] = end
        seats[i] = state.seat
        if watches:
            observe(state, state.seat, observations, i)
            write_mask(state.legal, masks, i)


@cached_jit(nogil=True)
def play_out_games(states, streams, words, returns, lengths, first, last):
    """`BatchKernels.play_out_games`."""
    for i in range(first, last):
        state = states[i]
        length = np.int64(0)
        while state.phase != PHASE_GAME_OVER:
            apply(state, random_action(state.legal, streams, i))
            length += 1
        for seat in range(state.num_players):
            returns[i, seat] = return_of(state, seat)
        lengths[i] = length
