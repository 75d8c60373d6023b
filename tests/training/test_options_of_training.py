"""Every option of a training run arrives: what the run does depends on each of them."""

import dataclasses
import sys
from typing import ClassVar

import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

from romans_training.learn import trainer
from romans_training.learn.config import TrainConfig
from romans_training.learn.recorder import Recorder
from romans_training.learn.run_folder import RunFolder
from tests.training.runs import SMALL

FIELDS = {field.name: field.metadata.get("group") for field in dataclasses.fields(TrainConfig)}
ALONE = {
    **SMALL.as_json(),
    "steps": 300,
    "num_envs": 8,
    "rollout_length": 32,
    "minibatch_size": 64,
    "evaluation_deals": 1,
    "evaluate_against": ("random",),
}
SELF_PLAY = {
    **ALONE,
    "self_play": 0.5,
    "setups": ("2+0", "3+0"),
    "snapshot_every": 100,
    "exploiter_every": 100,
    "exploiter_steps": 50,
    "magnet": 0.1,
}


class Noting(TrainConfig):
    """Settings that note which of them a run asks for, after they have been checked."""

    read: ClassVar[set[str]] = set()
    _is_made = False

    def __init__(self, **settings):
        super().__init__(**settings)
        object.__setattr__(self, "_is_made", True)

    def __getattribute__(self, name):
        option = "setup" if name == "rules" else name
        # Copies and files of settings take them all.
        if option in FIELDS and self._is_made and sys._getframe(1).f_code.co_filename != dataclasses.__file__:
            self.read.add(option)
        return super().__getattribute__(name)


@pytest.mark.parametrize("settings", [ALONE, SELF_PLAY], ids=["against opponents", "self-play"])
def test_a_run_asks_for_every_option(settings, tmp_path, monkeypatch):
    monkeypatch.setattr(Recorder, "write_summary", lambda self: None)
    monkeypatch.setattr(Noting, "read", set())
    trainer.train(Noting(**settings), RunFolder(tmp_path / "run"))
    expected = {name for name, group in FIELDS.items() if settings["self_play"] or group != "Self-play"}
    assert expected - Noting.read == set()
