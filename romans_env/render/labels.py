"""Placing labels on a picture: next to the bodies they name, covering as little else as possible.

Each label has a number of candidate places around its body, the shape that it names. The labels are moved in turn, each
to the place that covers least while the other labels stay where they are, until no label moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_PASSES = 8


class Box(NamedTuple):
    """A rectangle: its left, upper, right and lower edge."""

    left: float
    top: float
    right: float
    bottom: float


def around(x: float, y: float, width: float, height: float) -> Box:
    """Return the rectangle with the given centre and size."""
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def overlaps(some: Sequence[Box], others: Sequence[Box]) -> npt.NDArray[np.float64]:
    """Return the areas shared by each pair of rectangles: float64, shape ``(len(some), len(others))``."""
    left, top, right, bottom = np.array(some, float).reshape(-1, 4).T[:, :, None]
    other_left, other_top, other_right, other_bottom = np.array(others, float).reshape(-1, 4).T[:, None]
    wide = np.minimum(right, other_right) - np.maximum(left, other_left)
    high = np.minimum(bottom, other_bottom) - np.maximum(top, other_top)
    return np.maximum(wide, 0.0) * np.maximum(high, 0.0)


def places_around(body: Box, width: float, height: float) -> list[Box]:
    """Return the candidate places for a label of the given size next to a body, the most preferred place first."""
    x, y = (body.left + body.right) / 2, (body.top + body.bottom) / 2
    below, above = body.bottom + height / 2, body.top - height / 2
    right, left = body.right + width / 2 + 1, body.left - width / 2 - 1
    steps = [share * width for share in (0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.4, -0.4, 0.5, -0.5, 0.6, -0.6)]
    places = [around(x + step, row, width, height) for row in (below, above, below + 3) for step in steps]
    lower = [share * height for share in (0.0, 0.2, -0.2, 0.4, -0.4, 0.6, -0.6, 0.8, -0.8)]
    places += [around(side, y + step, width, height) for side in (right, left) for step in lower]
    return places


def placed(
    bodies: Sequence[Box], widths: Sequence[float], height: float, others: Sequence[tuple[Box, float]], within: Box
) -> list[Box]:
    """Choose a place for the label of each body, so that labels cover as little as possible.

    Args:
        bodies: the bodies to label, which labels should not cover.
        widths: the widths of the labels.
        height: the height of all labels.
        others: further areas that labels should not cover, each with its weight; a label's own body has weight 1.
        within: the area that labels must stay in.
    """
    choices = [places_around(body, width, height) for body, width in zip(bodies, widths, strict=True)]
    near = [Box(body.left - 8, body.top - 3, body.right + 8, body.bottom + 3) for body in bodies]
    boxes, weights = [box for box, _ in others], [weight for _, weight in others]
    costs = []
    for k, (places, width) in enumerate(zip(choices, widths, strict=True)):
        # A label next to another body would seem to name that body.
        here = overlaps(places, [*boxes, *near[:k], bodies[k], *near[k + 1 :]])
        weight = np.array([*weights, *(1.0 if m == k else 1.5 for m in range(len(near)))])
        outside = width * height - overlaps(places, [within])[:, 0]
        costs.append(0.4 * np.arange(len(places)) + here @ weight + 5 * outside)
    chosen = [int(cost.argmin()) for cost in costs]
    for _ in range(_PASSES):
        before = list(chosen)
        for k, places in enumerate(choices):
            rest = [choices[m][chosen[m]] for m in range(len(choices)) if m != k]
            chosen[k] = int((costs[k] + 3 * overlaps(places, rest).sum(1)).argmin())
        if chosen == before:
            break
    return [places[k] for places, k in zip(choices, chosen, strict=True)]
