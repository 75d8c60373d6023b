"""Weights of the features of `romans_agents.roma.value`, written by `recipes.quaestor.fit_value`."""

from __future__ import annotations

import numpy as np

WEIGHTS = np.array(
    [
        0.869,  # points
        0.717,  # late_points
        -1.633,  # few_points
        -0.261,  # free_discs
        0.066,  # money
        0.185,  # hand
        -0.143,  # blocked
        0.308,  # turn
        -0.095,  # sicarius
        -0.055,  # architectus
        -0.048,  # consiliarius
        -0.112,  # legat
        0.110,  # gladiator
        0.034,  # mercator
        -0.059,  # consul
        -0.025,  # legionarius
        0.060,  # nero
        -0.056,  # praetorianus
        0.025,  # scaenicus
        -0.030,  # haruspex
        -0.020,  # senator
        -0.026,  # velites
        -0.058,  # essedum
        0.006,  # tribunus
        0.085,  # centurio
        -0.049,  # aesculapinum
        0.099,  # basilica
        -0.034,  # machina
        0.243,  # forum
        0.165,  # mercatus
        0.090,  # onager
        0.056,  # templum
        -0.042,  # turris
    ]
)
