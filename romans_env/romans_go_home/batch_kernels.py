"""Many games in one compiled call."""

from __future__ import annotations

import numpy as np

from romans_env.romans_go_home.actions import NUM_ACTIONS, random_action
from romans_env.romans_go_home.compiled import entry_point, inlined, spliced
from romans_env.romans_go_home.deal import draw_deal
from romans_env.romans_go_home.game_flow import apply, begin
from romans_env.romans_go_home.observation import observe
from romans_env.romans_go_home.random_stream import below
from romans_env.romans_go_home.scoring import return_of
from romans_env.romans_go_home.state import PHASE_GAME_OVER


@entry_point
def play_random(states, streams, steps):
    for _ in range(steps):
        for i in range(states.shape[0]):
            state = states[i]
            apply(state, random_action(state.legal, streams, i))
            if state.phase == PHASE_GAME_OVER:
                draw_deal(state, streams, i)
                begin(state)


@entry_point
def only_choice(states, streams, steps):
    t = 0
    for _ in range(steps):
        for i in range(states.shape[0]):
            t += random_action(states[i].legal, streams, i)
    return t


@entry_point
def only_observe(states, obs, masks, steps):
    for _ in range(steps):
        for i in range(states.shape[0]):
            state = states[i]
            observe(state, state.seat, obs, i)
            for a in range(NUM_ACTIONS):
                masks[i, a] = (state.legal >> np.int64(a)) & np.int64(1)
