"""Saved games that do not fit are refused, and change nothing."""

import numpy as np
import pytest

from romans_env.engine.saved_games import SavedGamesError, restore_arrays


@pytest.mark.parametrize(
    ("saved", "says"),
    [
        (None, "arrays with the names points, seats"),
        ({"points": np.ones(3)}, "arrays with the names points, seats"),
        ({"points": np.ones(2), "seats": np.ones(3, np.int8)}, r"points have the shape \(2,\), this batch has \(3,\)"),
        ({"points": np.ones(3), "seats": [1, 1, 1]}, "seats have the shape None"),
        ({"points": np.ones(3), "seats": np.ones(3)}, "seats are of another version, or another game"),
    ],
)
def test_what_does_not_fit_is_refused(saved, says):
    arrays = {"points": np.zeros(3), "seats": np.zeros(3, np.int8)}
    with pytest.raises(SavedGamesError, match=says):
        restore_arrays(arrays, saved)
    assert not any(array.any() for array in arrays.values())
    restore_arrays(arrays, {"points": np.ones(3), "seats": np.ones(3, np.int8)})
    assert all(array.all() for array in arrays.values())
