"""A policy as an ONNX model and as JSON computes what it computes with numpy."""

import json
import math
import sys
from itertools import count, islice

import numpy as np
import pytest

import romans_agents
from romans_agents import Policy, PolicyFileError
from romans_env import Game
from romans_env.core.games import spec_of
from tests.pages import run_python_of
from tests.policies import observed, some_policy
from tests.tools import decisions

TRAINED = {"romans-go-home": "legate", "roma": "quaestor"}


def views(game, number=200):
    """Observations and masks of decisions in random games."""
    rules = spec_of(game).make_rules()
    games = (one for seed in count() for one in decisions(Game(rules, seed=seed), seed))
    found = [one.observation_and_mask(one.seat_to_act) for one in islice(games, number)]
    return tuple(map(np.array, zip(*found, strict=True)))


def assert_same(policy, observations, masks, logits, probabilities, values):
    assert np.allclose(logits, policy.logits(observations), atol=1e-4, rtol=1e-4)
    assert np.allclose(values, policy.values(observations), atol=1e-4)
    expected = policy.probabilities(observations, masks)
    assert np.allclose(probabilities, expected, atol=1e-4)
    assert (np.asarray(probabilities)[masks == 0] == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("game", TRAINED)
def test_the_onnx_model_computes_the_same(game):
    onnxruntime = pytest.importorskip("onnxruntime", reason="needs onnxruntime")
    pytest.importorskip("onnx", reason="needs onnx; install the extra 'onnx'")
    policy = romans_agents.policy_of(TRAINED[game], game=game)
    session = onnxruntime.InferenceSession(policy.to_onnx(), providers=["CPUExecutionProvider"])
    observations, masks = views(game)
    logits, probabilities, values = session.run(
        ["logits", "probabilities", "values"], {"observation": observations, "action_mask": masks}
    )
    assert (logits.dtype, values.shape) == (np.float32, (200,))
    assert_same(policy, observations, masks, logits, probabilities, values)
    notes = session.get_modelmeta().custom_metadata_map
    assert json.loads(notes["meta"]) == policy.meta
    assert json.loads(notes["actions"]) == list(spec_of(game).make_rules().action_names)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_either_activation_is_in_the_onnx_model(activation):
    onnxruntime = pytest.importorskip("onnxruntime", reason="needs onnxruntime")
    pytest.importorskip("onnx", reason="needs onnx; install the extra 'onnx'")
    policy = some_policy((7, 5, 3), activation)
    session = onnxruntime.InferenceSession(policy.to_onnx(), providers=["CPUExecutionProvider"])
    observations, masks = observed()
    assert_same(policy, observations, masks, *session.run(None, {"observation": observations, "action_mask": masks}))


def read_by_hand(text, observation, mask):
    """What a program without any library makes of the JSON: logits, probabilities and value of one observation."""
    found = json.loads(text)
    active = {"relu": lambda x: max(x, 0.0), "tanh": math.tanh}[found["meta"]["activation"]]

    def forward(layers):
        x = [entry * factor for entry, factor in zip(observation, found["scale"], strict=True)]
        for k, layer in enumerate(layers):
            rows = zip(layer["weight"], layer["bias"], strict=True)
            x = [sum(w * entry for w, entry in zip(row, x, strict=True)) + bias for row, bias in rows]
            if k < len(layers) - 1:
                x = [active(entry) for entry in x]
        return x

    logits = forward(found["policy"])
    most = max(logit for logit, legal in zip(logits, mask, strict=True) if legal)
    exponents = [math.exp(logit - most) if legal else 0.0 for logit, legal in zip(logits, mask, strict=True)]
    return logits, [one / sum(exponents) for one in exponents], forward(found["value"])[0]


def test_the_json_computes_the_same_without_any_library():
    policy = some_policy()
    observations, masks = observed(50)
    text = policy.to_json()
    rows = [read_by_hand(text, *pair) for pair in zip(observations.tolist(), masks.tolist(), strict=True)]
    assert_same(policy, observations, masks, *zip(*rows, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("game", TRAINED)
def test_the_json_is_read_back_exactly(game):
    policy = romans_agents.policy_of(TRAINED[game], game=game)
    again = Policy.from_json(policy.to_json())
    observations, masks = views(game)
    assert again.meta == policy.meta
    assert np.array_equal(again.logits(observations), policy.logits(observations))
    assert np.array_equal(again.values(observations), policy.values(observations))
    assert np.array_equal(again.probabilities(observations, masks), policy.probabilities(observations, masks))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda found: found.update(format="romans-policy/1"),
            "its format is 'romans-policy/1', not 'romans-policy-json",
        ),
        (lambda found: found.pop("meta"), "its meta is not an object, but None"),
        (lambda found: found["meta"].update(activation="gelu"), "its activation is 'gelu', not 'tanh' or 'relu'"),
        (lambda found: found["meta"].update(game="chess"), "was made for the game 'chess'"),
        (lambda found: found.pop("value"), "its value is not a list of layers"),
        (lambda found: found["policy"][1].update(bias=["x"]), "its policy has a value that is not an array of numbers"),
        (lambda found: found["policy"][1].update(bias=[float("nan")] * 5), "numbers that are not finite"),
        (lambda found: found["policy"].pop(1), "its layers do not fit each other"),
        (lambda found: found["scale"].pop(), "was made for observations of"),
    ],
)
def test_json_of_something_else_is_refused_in_one_line(change, message):
    found = json.loads(some_policy().to_json())
    change(found)
    with pytest.raises(PolicyFileError, match="this is not the JSON of a policy: ") as refused:
        Policy.from_json(json.dumps(found))
    assert message in str(refused.value)
    with pytest.raises(PolicyFileError, match="this is not the JSON of a policy"):
        Policy.from_json("[1, 2")


@pytest.mark.parametrize("form", ["onnx", "json"])
def test_the_command_writes_the_file_beside_the_policy(called, tmp_path, form):
    if form == "onnx":
        pytest.importorskip("onnx", reason="needs onnx; install the extra 'onnx'")
    policy = some_policy()
    policy.save(tmp_path / "policy.npz")
    status, _, err = called("export", tmp_path / "policy.npz", "--to", form)
    assert (status, err.strip()) == (0, f"written: {tmp_path / 'policy'}.{form}")
    expected = policy.to_onnx() if form == "onnx" else policy.to_json().encode()
    assert len((tmp_path / f"policy.{form}").read_bytes()) > 0.9 * len(expected)


def test_the_command_says_what_is_missing(called, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    some_policy().save(tmp_path / "policy.npz")
    status, _, _ = called("export", tmp_path / "policy.npz", "--to", "onnx")
    assert """install the extra 'onnx', by pip install "romans-env[onnx]\"""" in str(status)
    status, _, _ = called("export", tmp_path / "nothing.npz", "--to", "json")
    assert "cannot read the policy file" in str(status)


@pytest.mark.slow
def test_the_python_of_the_page_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("onnx", reason="needs onnx; install the extra 'onnx'")
    pytest.importorskip("onnxruntime", reason="needs onnxruntime")
    monkeypatch.chdir(tmp_path)
    run_python_of("agents/policy_forms.md")
    assert capsys.readouterr().out.startswith("discard:")
