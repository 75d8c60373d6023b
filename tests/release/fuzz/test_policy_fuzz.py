"""Policy files whose arrays, notes or bytes were damaged at random, and archives made to cost memory."""

import io
import json
import random
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from romans_agents import Policy, PolicyAgent, PolicyFileError
from romans_agents.romans_go_home.rounds.round_networks import (
    ATTACK_POLICY_FILE,
    ROUND_VALUES_FILE,
    load_attack_network,
    load_value_network,
)
from romans_agents.struggle.selective_rollouts import load_prior
from romans_agents.struggle.trained.odoacer import ODOACER_FILE
from romans_agents.struggle.trained.stilicho import STILICHO_FILE
from romans_agents.struggle.win_chance import load_win_chance
from romans_env import RomansGoHome
from tests.fuzz.mutations import Judge, WrongSuccessError, mutate_bytes, mutate_json, nested, text_of
from tests.policies import arrays_of, layer, observed, some_policy
from tests.romans_go_home.stages import new_game

WHOLE_META = {"format": "romans-policy/1", "game": "romans-go-home", "activation": "relu", "sample": True, "cut": 0.3}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a policy file, and its arrays."""
    path = tmp_path_factory.mktemp("policy") / "policy.npz"
    some_policy((7, 5), sample=True, cut=0.3).save(path)
    return path.read_bytes(), arrays_of(path)


def packed(arrays, make=np.savez_compressed):
    file = io.BytesIO()
    make(file, **arrays)
    return file.getvalue()


class Player:
    """Plays with what a file gives; what is accepted must be able to play."""

    def __init__(self, path):
        self.path = path
        game = new_game((2, 1), seed=1)
        self.view = game.view(game.seat_to_act)
        self.observations, self.masks = observed(5)

    def __call__(self):
        agent = PolicyAgent(str(self.path), seed=1)
        with np.errstate(all="ignore"):
            action = agent.act(self.view)
            chosen = agent.act_batch(self.observations, self.masks)
            chances = agent.action_probabilities_batch(self.observations, self.masks)
            chances_of_policy = agent.policy.probabilities(self.observations, self.masks)
        if action not in self.view.legal_actions() or not self.masks[range(5), chosen].all():
            raise WrongSuccessError("an illegal action")
        for rows in (chances, chances_of_policy):
            if (
                not np.isfinite(rows).all()
                or not np.allclose(rows.sum(axis=1), 1.0, atol=1e-3)
                or rows[self.masks == 0].any()
            ):
                raise WrongSuccessError("probabilities that are none")
        json.dumps(agent.policy.meta)


def mutated_array(array, rng):
    """An array of another type, shape or content; or none at all."""
    kinds = ["complex128", "float64", "float16", "U10", "bool", "S3", "int8", "M8[s]", "longdouble", "O"]
    changes = [
        lambda: None,
        lambda: array[..., :-1] if array.ndim else np.array("{"),
        lambda: array.astype(rng.choice(kinds)) if array.dtype.kind == "f" else np.array(5),
        lambda: np.array([{"a": 1}], dtype=object),
        lambda: np.full(array.shape, rng.choice([np.nan, np.inf, -np.inf, 1e38, 1e300, 0.0])),
        lambda: array.T,
        lambda: np.asfortranarray(array),
        lambda: np.zeros((0,) * max(1, array.ndim)),
        lambda: array[None],
        lambda: np.array(rng.choice(["x", "", "1"])),
        lambda: np.zeros(array.shape, dtype=[("a", "f4"), ("b", "f4")]),
        lambda: array.astype(array.dtype.newbyteorder()) if array.dtype.kind == "f" else array,
    ]
    return rng.choice(changes)()


def test_arrays(whole, tmp_path):
    rng, judge, play = random.Random(11), Judge(PolicyFileError), Player(tmp_path / "policy.npz")
    for _ in range(250):
        arrays = dict(whole[1])
        for _ in range(rng.choice([1, 1, 2])):
            name = rng.choice(list(arrays))
            with np.errstate(all="ignore"):
                changed = mutated_array(arrays.pop(name), rng)
            if rng.random() < 0.2:
                name = rng.choice(["pi_3_weight", "pi_9_bias", "vf_03_weight", "extra", "meta", "scale", "../up"])
            if changed is not None:
                arrays[name] = changed
        play.path.write_bytes(packed(arrays))
        judge.tries({name: (array.dtype, array.shape) for name, array in arrays.items()}, play)
    judge.check(250)


def test_notes(whole, tmp_path):
    rng, judge, play = random.Random(12), Judge(PolicyFileError), Player(tmp_path / "policy.npz")
    odd = [
        "[]",
        "null",
        "1",
        '"x"',
        "{}",
        "[" * 100_000,
        "",
        '{"format": ["x"]}',
        '{"format": ' + "9" * 5000 + "}",
        *(json.dumps({**WHOLE_META, "activation": value}) for value in ("gelu", ["tanh"], None, {"a": 1}, 5)),
        *(json.dumps({**WHOLE_META, "cut": value}) for value in ("x", 5, -1, float("nan"), [1], None, True, 10**400)),
        *(json.dumps({**WHOLE_META, "sample": value}) for value in ("x", 1, None, [])),
        *(json.dumps({**WHOLE_META, "game": value}) for value in ("chess", 5, None, ["romans-go-home"])),
        *(json.dumps({**WHOLE_META, "format": value}) for value in ("x\n" * 5000, 5, None, nested(100))),
    ]
    whole_notes = json.dumps(WHOLE_META)
    for k in range(300):
        if k < len(odd):
            text = odd[k]
        elif rng.random() < 0.5:
            text = text_of(mutate_json(mutate_json(WHOLE_META, rng), rng))
        else:
            text = mutate_bytes(whole_notes.encode(), rng).decode(errors="replace")
        play.path.write_bytes(packed({**whole[1], "meta": np.array(text)}))
        judge.tries(text, play)
    judge.check(300)


def test_bytes(whole, tmp_path):
    rng, judge, play = random.Random(13), Judge(PolicyFileError), Player(tmp_path / "policy.npz")
    files = [whole[0], packed(whole[1], np.savez)]
    expected = Policy.load(_written(tmp_path / "whole.npz", whole[0])).logits(play.observations)

    def plays_the_same():
        play()
        if (Policy.load(play.path).logits(play.observations) != expected).any():
            raise WrongSuccessError("other weights")

    damaged = (mutate_bytes(rng.choice(files), rng) for _ in range(250))
    judge.tries_files(play.path, [*files, *damaged], plays_the_same)


def _written(path, content):
    path.write_bytes(content)
    return path


def refusal(path):
    with pytest.raises(PolicyFileError) as refused:
        Policy.load(path)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 1000
    return str(refused.value)


def peak_of(function):
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def array_header(shape, dtype="<f4"):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": dtype, "fortran_order": False, "shape": shape})
    return file.getvalue()


def with_member(content, name, head, zeros):
    """The archive with one more member: a header, and so many zeros, which take next to no room."""
    file = io.BytesIO(content)
    with (
        zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open(name, "w", force_zip64=True) as member,
    ):
        member.write(head)
        for _ in range(zeros >> 20):
            member.write(bytes(1 << 20))
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "left_out", "shape", "dtype", "why"),
    [
        ("extra", None, (16 << 20,), "<f4", "'extra.npy', which is not an array of a policy"),
        ("scale", "scale", (65 << 20,), "<f4", "declares more than 67,108,864 weights"),
        ("pi_0_weight", "pi_0_weight", (65 << 10, 1 << 10), "<f4", "declares more than 67,108,864 weights"),
        ("meta", "meta", (), f"<U{16 << 20}", "meta is not a text of at most 1,048,576 characters"),
    ],
)
def test_a_large_array_in_a_small_file_is_not_unpacked(whole, tmp_path, name, left_out, shape, dtype, why):
    content = packed({key: array for key, array in whole[1].items() if key != left_out})
    size = np.dtype(dtype).itemsize * int(np.prod(shape))
    path = _written(tmp_path / "bomb.npz", with_member(content, f"{name}.npy", array_header(shape, dtype), size))
    assert path.stat().st_size < 1 << 20
    assert peak_of(lambda: why in refusal(path) or pytest.fail(refusal(path))) < 4 << 20


@pytest.mark.parametrize(
    ("load", "file"),
    [
        (load_value_network, ROUND_VALUES_FILE),
        (load_attack_network, ATTACK_POLICY_FILE),
        (load_win_chance, STILICHO_FILE),
        (load_prior, ODOACER_FILE),
    ],
)
def test_a_large_array_of_a_network_is_not_unpacked(load, file, tmp_path):
    load(file)  # what the game itself needs is there from then on
    with np.load(file) as arrays:
        whole = dict(arrays)
    for name in (*whole, "extra"):
        content = packed({key: array for key, array in whole.items() if key != name})
        path = _written(tmp_path / "bomb.npz", with_member(content, f"{name}.npy", array_header((4 << 20,)), 16 << 20))

        def refused(path=path):
            with pytest.raises(ValueError, match=r"^.*bomb\.npz is [^\n]*(do not fit|has the shape|not an array of)"):
                load(path)

        assert peak_of(refused) < 8 << 20


def test_an_array_that_is_larger_than_the_archive_declares_is_not_unpacked(whole, tmp_path):
    content = packed({key: array for key, array in whole[1].items() if key != "scale"})
    head = array_header((RomansGoHome.observation_size,))
    content = bytearray(with_member(content, "scale.npy", head, 50 << 20))
    size = struct.pack("<L", len(head) + 4 * RomansGoHome.observation_size)
    # In the table of contents, which is all that is asked, the member is as large as it should be.
    entry = content.rindex(b"PK\x01\x02")
    content[entry + 24 : entry + 28] = size
    path = _written(tmp_path / "bomb.npz", bytes(content))
    assert peak_of(lambda: refusal(path)) < 4 << 20


def test_a_table_of_contents_of_many_megabytes_is_not_read(tmp_path):
    size = 100 << 20
    path = tmp_path / "bomb.npz"
    with path.open("wb") as file:
        file.truncate(size)
        file.seek(size)
        file.write(struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, size, 0, 0))
    assert peak_of(lambda: "it is too long" in refusal(path) or pytest.fail(refusal(path))) < 4 << 20


def test_a_member_twice(whole, tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        content = with_member(whole[0], "scale.npy", array_header((5,)), 0)
    assert "it holds scale twice" in refusal(_written(tmp_path / "policy.npz", content))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_that_is_packed_otherwise(whole, tmp_path, method):
    path = tmp_path / "policy.npz"
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, array in whole[1].items():
            archive.writestr(f"{name}.npy", array_header(array.shape) + array.tobytes())
    assert "has a compression that numpy does not use" in refusal(path)


def test_a_file_that_names_no_game_is_one_of_this_game(tmp_path):
    policy = some_policy()
    del policy.meta["game"]
    policy.save(tmp_path / "policy.npz")
    assert "game" not in Policy.load(tmp_path / "policy.npz").meta


def test_weights_in_every_precision(tmp_path):
    path = tmp_path / "policy.npz"
    policy = some_policy()
    for dtype in ("<f2", "<f4", "<f8", ">f4"):
        policy.save(path, dtype)
        loaded = Policy.load(path)
        for (weight, bias), (expected, bias_2) in zip(loaded.pi + loaded.vf, policy.pi + policy.vf, strict=True):
            assert weight.dtype == bias.dtype == np.float32
            assert (weight == expected.astype(dtype).astype(np.float32)).all()
            assert (bias == bias_2.astype(dtype).astype(np.float32)).all()


def test_a_policy_of_the_most_layers_is_loaded(tmp_path):
    policy = some_policy((3,) * 99)
    policy.save(tmp_path / "policy.npz")
    assert len(Policy.load(tmp_path / "policy.npz").pi) == 100


def test_loaded_weights_can_be_written_to(tmp_path):
    some_policy(()).save(tmp_path / "policy.npz")
    policy = Policy.load(tmp_path / "policy.npz")
    policy.vf[-1] = layer(np.random.default_rng(1), 1, RomansGoHome.observation_size)
    policy.pi[-1][0][:] = 0.0
