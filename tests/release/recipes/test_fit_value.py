"""The value of positions in Roma, and how its weights are fitted."""

import numpy as np
import pytest
from click.testing import CliRunner

from recipes.quaestor.fit_value import cross_entropy, fit, main, positions, source_of
from romans_agents.roma.value import FEATURES, NUM_FEATURES, TURN
from romans_agents.roma.value_weights import WEIGHTS


def test_the_weights_in_use_predict_games_well():
    features, returns = positions(300, seed=9)
    assert len(returns) > 500 and features.shape[1] == NUM_FEATURES == len(WEIGHTS)
    assert set(np.unique(returns)) <= {-1.0, 0.0, 1.0} and (features[:, TURN] == 1.0).all()
    assert cross_entropy(WEIGHTS, features, returns) < 0.56 < cross_entropy(np.zeros(NUM_FEATURES), features, returns)


def test_a_fit_finds_the_weights_of_made_up_games():
    rng = np.random.default_rng(1)
    weights, features = np.array([0.8, -0.3, 0.0]), rng.normal(size=(40000, 3))
    returns = np.where(rng.random(40000) < (1.0 + np.tanh(features @ weights)) / 2.0, 1.0, -1.0)
    assert fit(features, returns) == pytest.approx(weights, abs=0.03)


def test_the_command_writes_a_module_with_the_weights(tmp_path):
    done = CliRunner().invoke(main, ["--games", "100", "--output", str(tmp_path / "weights.py")])
    assert done.exit_code == 0, done.output
    assert "fitted: cross entropy 0." in done.output
    text = (tmp_path / "weights.py").read_text()
    assert [line.split("# ")[1] for line in text.splitlines() if "  # " in line] == list(FEATURES)
    written: dict = {}
    exec(text, written)
    assert source_of(written["WEIGHTS"]) == text
    assert written["WEIGHTS"] == pytest.approx(fit(*positions(100, 0)), abs=0.001)
