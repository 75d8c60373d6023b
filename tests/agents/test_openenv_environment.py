"""Which game a reset of the environment of OpenEnv plays, with stand-ins for the classes of that library."""

import importlib
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

pydantic = pytest.importorskip("pydantic", reason="needs the extra: pip install '.[serve]'")

FOLDER = Path(__file__).resolve().parents[2] / "openenv"


class Observation(pydantic.BaseModel):
    done: bool = False
    reward: float | None = None


class State(pydantic.BaseModel):
    episode_id: str | None = None
    step_count: int = 0


class Generic:
    """Takes any parameters, and arguments."""

    def __class_getitem__(cls, parameters):
        return cls


LIBRARY = {
    "openenv": {},
    "openenv.core": {"EnvClient": Generic},
    "openenv.core.client_types": {"StepResult": Generic},
    "openenv.core.env_server": {},
    "openenv.core.env_server.interfaces": {"Environment": Generic},
    "openenv.core.env_server.types": {
        "Action": pydantic.BaseModel,
        "EnvironmentMetadata": pydantic.BaseModel,
        "Observation": Observation,
        "State": State,
    },
}


@pytest.fixture
def openenv(monkeypatch):
    """The library's names, and the folder's own package, which is gone afterwards."""
    for name, names in LIBRARY.items():
        module = ModuleType(name)
        vars(module).update(names)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.syspath_prepend(str(FOLDER))
    yield importlib.import_module("romans_openenv.environment")
    for name in [name for name in sys.modules if name.partition(".")[0] == "romans_openenv"]:
        del sys.modules[name]


@pytest.fixture
def made(openenv, monkeypatch):
    """The settings with which text environments are created."""
    made = []

    def make_text_env(game, **settings):
        made.append({"game": game, **settings})
        return SimpleNamespace(reset=lambda seed, seat: "", is_over=False, legal_actions=[])

    monkeypatch.setattr(openenv, "make_text_env", make_text_env)
    return made


def test_another_game_is_created_where_an_argument_is_another(openenv, made):
    env = openenv.RomansEnvironment()
    starts = [{}, {"setup": {"num_neutrals": 1}}, {"setup": {"num_neutrals": 2}}, {"reward": "points"}]
    starts += [{"against": "random"}, {"against": "hoarder"}, {"game": "roma"}, {}]
    for number, start in enumerate(starts, 1):
        for seed in (1, 2):
            env.reset(seed=seed, **start)
            assert len(made) == number
        assert {name: made[-1][name] for name in start} == start


def test_a_client_s_settings_go_before_the_server_s(openenv, made):
    own = {"num_neutrals": 1, "variant": "standard"}
    env = openenv.RomansEnvironment(openenv.Settings(setup=own, against="random", reward="points"))
    for setup in ({"num_neutrals": 2}, {"variant": "vogel"}, {"num_players": 3}, {}, None):
        env.reset(seed=1, setup=setup)
        assert made[-1] == {
            "game": "romans-go-home",
            "against": "random",
            "setup": {**own, **(setup or {})},
            "reward": "points",
        }
    env.reset(seed=1, reward="win", against="hoarder")
    assert (made[-1]["reward"], made[-1]["against"], made[-1]["setup"]) == ("win", "hoarder", own)
    env.reset(seed=1, game="roma")
    assert (made[-1]["against"], made[-1]["setup"]) == (None, {})
