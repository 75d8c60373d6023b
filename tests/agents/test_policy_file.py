"""Policy files: what is saved is what plays, and a file that is not whole says so in one line."""

import json

import numpy as np
import pytest

import romans_agents
from romans_agents import Policy, PolicyAgent, PolicyFileError
from romans_agents.policies.policy_file import FORMAT, MOST_META
from romans_env.romans_go_home.observation import OBSERVATION_SIZE
from tests.policies import NUM_ACTIONS, arrays_of, constant_policy, observed, some_policy
from tests.romans_go_home.stages import new_game
from tests.tools import decisions


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_logits_and_values_are_those_of_the_layers(activation):
    policy = some_policy(activation=activation)
    observations, masks = observed()
    function = {"tanh": np.tanh, "relu": lambda x: x * (x > 0)}[activation]
    for row, logits, value in zip(observations, policy.logits(observations), policy.values(observations), strict=True):
        x = row.astype(np.float64) * policy.scale
        for weight, bias in policy.pi[:2]:
            x = function(np.array([np.dot(out, x) for out in weight]) + bias)
        for layers, result in ((policy.pi, logits), (policy.vf, [value])):
            weight, bias = layers[2]
            assert np.allclose([np.dot(out, x) + b for out, b in zip(weight, bias, strict=True)], result, atol=1e-4)
    assert (policy.logits(observations).shape, policy.logits(observations).dtype) == ((20, NUM_ACTIONS), np.float32)
    assert (policy.values(observations).shape, policy.values(observations).dtype) == ((20,), np.float32)
    assert policy.probabilities(observations, masks).dtype == np.float32


def test_probabilities_are_the_softmax_over_the_legal_actions():
    policy = some_policy()
    observations, masks = observed()
    probabilities = policy.probabilities(observations, masks)
    assert not probabilities[masks == 0].any()
    for row, mask, logits in zip(probabilities, masks, policy.logits(observations), strict=True):
        legal = np.flatnonzero(mask)
        expected = np.exp(logits[legal].astype(np.float64))
        assert np.allclose(row[legal], expected / expected.sum(), atol=1e-5)


def test_the_most_likely_legal_action_is_played():
    agent = PolicyAgent.of(some_policy(), "some policy")
    observations, masks = observed()
    chosen = agent.act_batch(observations, masks)
    for action, logits, mask in zip(chosen, agent.policy.logits(observations), masks, strict=True):
        assert mask[action]
        assert logits[action] == max(logits[np.flatnonzero(mask)])
    assert agent.act_batch(observations, masks).tolist() == chosen.tolist()
    assert agent.act_batch(observations, masks.astype(bool)).tolist() == chosen.tolist()


def test_one_view_is_played_as_in_a_batch():
    agent = PolicyAgent.of(some_policy(), "some policy")
    for game in decisions(new_game((2, 1), seed=2)):
        view = game.view(game.seat_to_act)
        action = agent.act(view)
        assert type(action) is int
        assert action == agent.act_batch(view.observation[None], view.action_mask[None])[0]


@pytest.mark.parametrize("sample", [False, True])
def test_an_illegal_action_is_never_chosen(sample):
    _, masks = observed(40)
    observations = np.zeros((40, OBSERVATION_SIZE), dtype=np.int8)
    for extreme in (1e30, 3e38, np.inf, np.nan):
        for favourite in range(0, NUM_ACTIONS, 14):
            for legal_value in (0.0, -extreme):
                logits = np.full(NUM_ACTIONS, legal_value)
                logits[favourite] = extreme
                agent = PolicyAgent.of(constant_policy(logits), "extreme", sample)
                chosen = agent.act_batch(observations, masks)
                assert masks[np.arange(40), chosen].all(), (extreme, favourite)


def test_sampling_follows_the_probabilities():
    game = new_game((2, 0), seed=3)
    view, number = game.view(0), 4000
    legal = view.legal_actions()
    logits = np.full(NUM_ACTIONS, 9.0)
    logits[legal] = np.log(np.arange(1, len(legal) + 1))
    agent = PolicyAgent.of(constant_policy(logits), "sampled", sample=True)
    agent.seed(1)
    chosen = agent.act_batch(
        np.zeros((number, OBSERVATION_SIZE), dtype=np.int8), np.tile(view.action_mask, (number, 1))
    )
    weights = np.arange(1, len(legal) + 1) / sum(range(1, len(legal) + 1))
    shares = np.array([np.count_nonzero(chosen == action) for action in legal]) / number
    assert shares.sum() == 1.0
    assert (np.abs(shares - weights) < 5 * np.sqrt(weights * (1 - weights) / number)).all()


def test_the_sample_option(tmp_path):
    path = tmp_path / "policy.npz"
    constant_policy(np.zeros(NUM_ACTIONS)).save(path)
    view = new_game((2, 0), seed=4).view(0)
    assert len({romans_agents.make(f"policy:{path}").act(view) for _ in range(30)}) == 1
    sampled = [romans_agents.make(f"policy:{path},sample=true,seed={seed}") for seed in (1, 1, 2)]
    one, again, other = ([agent.act(view) for _ in range(30)] for agent in sampled)
    assert one == again != other
    assert len(set(one)) > 3
    sampled[0].seed(1)
    assert [sampled[0].act(view) for _ in range(30)] == one


@pytest.mark.parametrize("hidden", [(), (4,), (8, 6, 4)])
def test_what_is_saved_is_what_is_loaded(hidden, tmp_path):
    path = tmp_path / "new" / "folder" / "policy.npz"
    policy = some_policy(hidden, steps=1000, note="Ch'ariott ✓")
    policy.save(path)
    loaded = Policy.load(path)
    observations, masks = observed()
    assert (loaded.logits(observations) == policy.logits(observations)).all()
    assert (loaded.values(observations) == policy.values(observations)).all()
    assert (loaded.probabilities(observations, masks) == policy.probabilities(observations, masks)).all()
    assert loaded.meta == {**policy.meta, "format": FORMAT}
    assert Policy.load(str(path)).meta == loaded.meta


def test_the_file_is_as_documented(tmp_path):
    path = tmp_path / "policy.npz"
    some_policy((7, 5)).save(path)
    arrays = arrays_of(path)
    assert json.loads(str(arrays["meta"]))["format"] == "romans-policy/1"
    shapes = {key: array.shape for key, array in arrays.items()}
    assert shapes == {
        "meta": (),
        "scale": (OBSERVATION_SIZE,),
        **{f"{net}_0_weight": (7, OBSERVATION_SIZE) for net in ("pi", "vf")},
        **{f"{net}_0_bias": (7,) for net in ("pi", "vf")},
        **{f"{net}_1_weight": (5, 7) for net in ("pi", "vf")},
        **{f"{net}_1_bias": (5,) for net in ("pi", "vf")},
        "pi_2_weight": (NUM_ACTIONS, 5),
        "pi_2_bias": (NUM_ACTIONS,),
        "vf_2_weight": (1, 5),
        "vf_2_bias": (1,),
    }


def test_saving_is_whole_or_nothing(tmp_path, monkeypatch):
    path = tmp_path / "policy.npz"
    some_policy(seed=1).save(path)
    before = path.read_bytes()

    def half_written(file, **arrays):
        file.write(b"half a")
        raise OSError("no space left on device")

    monkeypatch.setattr(np, "savez_compressed", half_written)
    with pytest.raises(OSError, match="no space left"):
        some_policy(seed=2).save(path)
    with pytest.raises(OSError, match="no space left"):
        some_policy(seed=2).save(tmp_path / "other.npz")
    monkeypatch.undo()
    assert [file.name for file in tmp_path.iterdir()] == ["policy.npz"]
    assert path.read_bytes() == before
    some_policy(seed=2).save(path)
    assert path.read_bytes() != before
    assert [file.name for file in tmp_path.iterdir()] == ["policy.npz"]


def refused(path):
    """The line with which a file is refused; it names the file."""
    with pytest.raises(PolicyFileError) as refusal:
        Policy.load(path)
    message = str(refusal.value)
    assert str(path) in message
    assert message.isprintable() and len(message) < 1000
    assert message.strip() == message
    with pytest.raises(PolicyFileError):
        romans_agents.make(f"policy:{path}")
    return message


class Trap:
    """Fails the test when it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("what is hidden in a file was run",)


def without(key):
    return lambda arrays: {name: array for name, array in arrays.items() if name != key}


def with_array(key, array):
    return lambda arrays: {**arrays, key: array}


def with_meta(text):
    return with_array("meta", np.array(text))


def with_notes(**notes):
    whole = {"format": FORMAT, "game": "romans-go-home", "activation": "tanh", "sample": True, "cut": 0.3}
    return with_meta(json.dumps({**whole, **notes}))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (without("meta"), "is not a whole policy file: it lacks .*meta"),
        (without("scale"), "is not a whole policy file: it lacks .*scale"),
        (without("pi_0_weight"), "is not a whole policy file: it lacks .*pi_0_weight"),
        (without("pi_1_bias"), "is not a whole policy file: it lacks .*pi_1_bias"),
        (without("vf_0_weight"), "is not a whole policy file: it lacks .*vf_0_weight"),
        (without("pi_1_weight"), "is not a whole policy file|was made for"),
        (with_meta("no JSON"), "is not a whole policy file"),
        (with_meta("[1, 2]"), "is not a whole policy file"),
        (with_meta('{"activation": "tanh"}'), "is not a whole policy file: it lacks .*format"),
        (with_meta('{"format": "romans-policy/1"}'), "is not a whole policy file: it lacks .*activation"),
        (with_meta('{"format": "romans-policy/1", "activation": "gelu"}'), "is not a whole policy file: .*gelu"),
        (with_meta('{"format": "romans-policy/2"}'), "has the format 'romans-policy/2'; this version reads"),
        (with_array("scale", np.ones(300)), r"observations of \(300,\).*this version has .*train it again"),
        (with_array("pi_2_bias", np.ones(60)), "60 actions; this version has .* 56: train it again"),
        (with_array("pi_0_weight", np.ones((7, 300))), "its layers do not fit each other"),
        (with_array("pi_1_weight", np.ones((7, 5))), "its layers do not fit each other"),
        (with_array("vf_1_bias", np.ones(6)), "its layers do not fit each other"),
        (with_array("vf_2_weight", np.ones(5)), "its layers do not fit each other"),
        (with_array("scale", np.array([Trap()])), "is not a whole policy file"),
        (lambda arrays: {**arrays, "vf_2_weight": np.ones((2, 5)), "vf_2_bias": np.ones(2)}, "value is not one number"),
        (with_array("pi_1_weight", np.full((5, 7), np.nan)), "pi_1_weight has numbers that are not finite"),
        (with_array("pi_1_weight", np.full((5, 7), -np.inf)), "pi_1_weight has numbers that are not finite"),
        (with_notes(game="chess"), "was made for the game 'chess'; there are roma, romans-go-home"),
        (with_notes(game=None), "was made for the game None"),
        (with_notes(cut=None), "its cut is a number from 0 to 1, not None"),
        (with_notes(cut=float("nan")), "its cut is a number from 0 to 1, not nan"),
        (with_notes(cut=1.5), "its cut is a number from 0 to 1, not 1.5"),
        (with_notes(sample="no"), "its sample is true or false, not 'no'"),
        (with_notes(activation=["tanh"]), r"its activation is \['tanh'\], not 'tanh' or 'relu'"),
        (with_meta('{"note": ' + "[" * 100_000 + "]" * 100_000 + "}"), "nested too deeply"),
        (with_notes(note="x" * MOST_META), "meta is not a text of at most 1,048,576 characters"),
    ],
    ids=range(31),
)
def test_a_file_of_something_else(change, why, tmp_path):
    path = tmp_path / "policy.npz"
    some_policy((7, 5)).save(path)
    np.savez(path, **change(arrays_of(path)))
    with pytest.raises(PolicyFileError, match=why):
        Policy.load(path)
    refused(path)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_weights_with_which_numbers_would_overflow(activation, tmp_path):
    policy, path = some_policy((4, 4), activation), tmp_path / "policy.npz"
    for layers in (policy.pi, policy.vf):
        for weight, bias in layers:
            for array in (weight, bias):
                kept = array.copy()
                array.flat[0] = 3e38
                policy.save(path)
                assert "so large that what it computes may be infinite" in refused(path)
                array[...] = kept
    policy.save(path)
    Policy.load(path)
    policy.scale[0], policy.pi[0][0][...], policy.vf[0][0][...] = 3e38, 0.0, 0.0
    policy.save(path)
    assert "so large that what it computes may be infinite" in refused(path)
