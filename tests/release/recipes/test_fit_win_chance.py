"""The fit of the chance to win, by which `stilicho` ends its rollouts."""

import numpy as np
import torch
from click.testing import CliRunner

from recipes.stilicho.fit_win_chance import Fit, cross_entropy, learn, main, play_examples
from romans_agents.struggle.win_chance import load_win_chance
from romans_env.struggle import StruggleForRome, StruggleSetup

SHORT = StruggleSetup(max_rounds=3)


def test_examples_are_views_of_all_seats_with_their_shares_of_the_win():
    found = play_examples(SHORT, 6, 0.5, 1)
    count = len(found.shares)
    assert count % 4 == 0 and count > 20
    assert found.observations.shape == (count, StruggleForRome(SHORT).observation_size)
    assert np.allclose(found.shares.reshape(-1, 4).sum(axis=1), 1.0) and found.shares.min() >= 0.0
    again = play_examples(SHORT, 6, 0.5, 1)
    assert all(np.array_equal(*pair) for pair in zip(found, again, strict=True))


def test_the_fit_starts_from_the_value_and_learns():
    torch.manual_seed(1)
    fit = Fit(StruggleForRome(SHORT).observation_scale, 16)
    examples, others = play_examples(SHORT, 8, 1.0, 2), play_examples(SHORT, 8, 1.0, 3)
    alone, fitted = cross_entropy(fit, others)
    assert abs(alone - fitted) < 1e-6
    optimizer = torch.optim.AdamW(fit.parameters(), lr=5e-3)
    for _ in range(20):
        learn(fit, optimizer, examples)
    assert cross_entropy(fit, examples)[1] < alone - 0.01


def test_the_command_writes_what_the_player_reads(tmp_path):
    path = tmp_path / "new.npz"
    done = CliRunner().invoke(main, [str(path), "--minutes", "0", "--games", "2", "--hidden", "8"])
    assert done.exit_code == 0, done.output
    assert "2 games: cross entropy" in done.output
    fitted = load_win_chance(path)
    assert fitted.network.sizes.tolist() == [StruggleForRome().observation_size, 8, 8, 1]
    assert fitted.line.shape == (2,)
