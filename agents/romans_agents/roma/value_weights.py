"""Weights of `romans_agents.roma.value`, fitted by `romans_training.roma.fit_value`."""

from __future__ import annotations

import numpy as np

WEIGHTS = np.array(
    [
        0.925,
        0.715,
        -1.367,
        -0.270,
        0.085,
        0.202,
        -0.029,
        0.314,
        0.000,
        -0.124,
        -0.072,
        -0.072,
        -0.125,
        0.113,
        0.076,
        -0.048,
        -0.008,
        0.090,
        -0.064,
        0.022,
        -0.015,
        -0.030,
        -0.010,
        -0.076,
        -0.000,
        0.032,
        -0.044,
        0.136,
        -0.045,
        0.242,
        0.169,
        0.041,
        0.108,
        -0.026,
    ]
)
