"""The examples of other stacks run, tiny, and play legal actions alone whatever their network wants."""

import asyncio
import importlib
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import romans_agents
from romans_env import Table, romans_go_home_v0
from romans_env.envs.single import SingleSeatEnv
from romans_env.envs.vector import GameVectorEnv
from romans_env.render.language import introduce
from romans_training.data.parquet import export_decisions
from romans_training.data.record_files import write_line
from romans_training.measure.evaluation import evaluate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SMALL = ("--minutes", "0", "--deals", "2")


def imported(name, monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module(name)


def wants_the_last_actions(last_layer):
    """Make a network prefer an action the more, the higher its id, legal or not."""
    torch = pytest.importorskip("torch")
    with torch.no_grad():
        last_layer.bias.copy_(torch.linspace(-1e4, 1e4, len(last_layer.bias)))


def check_actions(environment, monkeypatch):
    """An illegal action in an environment of this class is a failure from now on."""
    step = environment.step

    def checked_step(games, actions):
        masks = np.atleast_2d(games.action_masks())
        assert masks[np.arange(len(masks)), actions].all()
        return step(games, actions)

    monkeypatch.setattr(environment, "step", checked_step)


def example(module, *libraries, page="docs/training/other_stacks.md"):
    """A fixture of an example, which is skipped where its libraries are not there."""

    @pytest.fixture
    def made(monkeypatch):
        for library in libraries:
            pytest.importorskip(library, reason=f"needs {library} ({page})")
        torch = importlib.import_module("torch") if "torch" in libraries else None
        threads = torch and torch.get_num_threads()
        yield imported(module, monkeypatch)
        if torch:
            torch.set_num_threads(threads)

    return made


rllib = example("rllib_ppo", "ray", "torch", "tree", "pandas", "pyarrow", "pydantic")
torchrl_example = example("torchrl_ppo", "torch", "torchrl")
ppo_tensors = example("ppo_tensors", "torch")
textarena = example("textarena_romans", "textarena", page="docs/agents/language_models.md")
verifiers = example("verifiers_romans", "verifiers", page="docs/agents/language_models.md")


def played_by(spec):
    """The agent of a spec, which has played some games."""
    agent = romans_agents.make(str(spec))
    assert evaluate(agent, [romans_agents.make("random")], Table(2, 0), num_deals=10).num_games == 20
    return agent


def test_rllib_draws_legal_actions_whatever_the_network_wants(rllib):
    raw = romans_go_home_v0.raw_env(num_players=2)
    network = rllib.MaskedNetwork(
        observation_space=raw.observation_space("player_0"), action_space=raw.action_space("player_0")
    )
    wants_the_last_actions(network.policy[-1])
    distributions = network.get_exploration_action_dist_cls()
    env = rllib.PettingZooEnv(raw)  # an illegal action raises
    for seed in range(5):
        observations, _ = env.reset(seed=seed)
        ended = {"__all__": False}
        while not ended["__all__"]:
            ((player, observation),) = observations.items()
            batch = {name: rllib.torch.from_numpy(array[None]) for name, array in observation.items()}
            logits = network.forward_exploration({"obs": batch})["action_dist_inputs"]
            action = int(distributions.from_logits(logits).sample())
            assert action == np.flatnonzero(observation["action_mask"])[-1]
            observations, _, ended, _, _ = env.step({player: action})


@pytest.mark.usefixtures("rllib")
def test_rllib_trains_and_its_checkpoint_plays(tmp_path):
    script = str(EXAMPLES / "rllib_ppo.py")
    path = os.pathsep.join([str(EXAMPLES.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    told = subprocess.run(
        [sys.executable, script, *SMALL, "--env-runners", "1", "--batch", "200", "--folder", "run"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert "IllegalActionError" not in told.stderr
    assert "decisions, " in told.stdout
    assert told.stdout.count("| 2+0   | random") == 2  # before and after
    played_by(f"{script}:RLlibAgent:{tmp_path / 'run'}")


@pytest.fixture
def torchrl(torchrl_example, monkeypatch):
    """The example with TorchRL; an illegal action in its environment is a failure."""
    environment = torchrl_example.environment

    def checked_environment(*arguments):
        # TorchRL tries a new environment's specs by steps of its own, without a mask.
        env = environment(*arguments)
        check_actions(GameVectorEnv, monkeypatch)
        return env

    monkeypatch.setattr(torchrl_example, "environment", checked_environment)
    return torchrl_example


def test_torchrl_draws_legal_actions_whatever_the_network_wants(torchrl):
    policy = torchrl.network(56)
    wants_the_last_actions(policy[-1])
    games = torchrl.environment(8, 1).rollout(100, torchrl.masked_actor(policy), break_when_any_done=False)
    assert games["next", "done"].sum() >= 8  # games that end start anew
    assert games["next", "reward"][~games["next", "done"]].eq(0).all()


def test_torchrl_trains_and_its_policy_plays(torchrl, tmp_path, capsys):
    torchrl.main([*SMALL, "--games", "8", "--folder", str(tmp_path), "--seed", "3"], standalone_mode=False)
    told = capsys.readouterr().out
    assert "256 decisions, " in told
    assert told.count("| 2+0   | random") == 2  # before and after
    agent = played_by(tmp_path / "policy.npz")
    torchrl.torch.manual_seed(3)
    untrained = torchrl.network(56)[1].weight.detach().numpy()
    assert 0 < np.abs(agent.policy.pi[0][0] - untrained).max() < 0.1


@pytest.mark.parametrize("game", ["romans-go-home", "roma", "struggle"])
def test_ppo_learns_the_same_through_tensors_through_arrays_and_as_on_a_device(
    ppo_tensors, game, monkeypatch, tmp_path
):
    from tests.envs.tensors import CopyingEnv

    torch, tensors = ppo_tensors.torch, ppo_tensors.TensorVectorEnv

    class ThroughArrays(GameVectorEnv):
        def __init__(self, num_envs, device, **settings):
            super().__init__(num_envs, **settings)

        def reset(self, **settings):
            observations, info = super().reset(**settings)
            return torch.tensor(observations), {"action_mask": torch.tensor(info["action_mask"] == 1)}

        def send(self, actions):
            assert self.action_masks()[np.arange(self.num_envs), actions].all()
            self.actions = actions.numpy().copy()

        def recv(self):
            *given, info = self.step(self.actions)
            return (*map(torch.tensor, given), info | {"action_mask": torch.tensor(info["action_mask"] == 1)})

    found = []
    for kind in (tensors, ThroughArrays, CopyingEnv):
        monkeypatch.setattr(ppo_tensors, "TensorVectorEnv", kind)
        small = f"--game {game} --steps 2048 --num-envs 16 --minibatch 128 --seed 3 --folder {tmp_path}".split()
        ppo_tensors.main(small, standalone_mode=False)
        policy = romans_agents.Policy.load(tmp_path / "policy.npz")
        found.append([array.tobytes() for layers in (policy.pi, policy.vf) for layer in layers for array in layer])
    assert found[0] == found[1] == found[2]
    assert (policy.game, [bool(bias.any()) for _, bias in policy.pi]) == (game, [True] * 3)  # they began as zeros


@pytest.mark.parametrize(
    ("options", "opponents"), [("", None), ("--opponents legionary,greedy", ("legionary", "greedy"))]
)
def test_ppo_over_tensors_trains_against_the_default_pool_or_that_of_its_option(
    options, opponents, ppo_tensors, monkeypatch, tmp_path
):
    given, tensors = [], ppo_tensors.TensorVectorEnv

    def listening(*arguments, **settings):
        given.append((settings.get("opponents"), settings.get("mix_opponents"), settings.get("num_players")))
        return tensors(*arguments, **settings)

    monkeypatch.setattr(ppo_tensors, "TensorVectorEnv", listening)
    small = f"{options} --steps 32 --num-envs 4 --num-steps 8 --minibatch 32 --folder {tmp_path}".split()
    ppo_tensors.main(small, standalone_mode=False)
    assert given == [(opponents, None, None) if opponents is None else (opponents, True, 2)] * 2


@pytest.mark.parametrize(
    ("script", "agent", "small", "printed"),
    [
        ("agilerl_ppo", "AgileRLAgent", "--steps 1024 --num-envs 16", "512.*\n1,024.*\n"),
        ("tianshou_dqn", "TianshouAgent", "--epochs 1 --epoch-steps 320 --test-games 16", "return: -?[01]"),
        ("benchmarl_ippo", "BenchMARLAgent", "--frames 400 --batch 200", ""),
    ],
)
def test_another_stack_trains_and_what_it_writes_plays(script, agent, small, printed, monkeypatch, tmp_path, capsys):
    """Legal actions alone: `raw_env()`, of BenchMARL, raises at another one."""
    pytest.importorskip(script.partition("_")[0], reason="needs its library (docs/training/other_stacks.md)")
    for environment in (GameVectorEnv, SingleSeatEnv):
        check_actions(environment, monkeypatch)
    imported(script, monkeypatch).main([*small.split(), "--folder", str(tmp_path)], standalone_mode=False)
    told = capsys.readouterr().out
    assert re.search(printed, told) and told.splitlines()[-1].startswith(f"written: {tmp_path}")
    played_by(f"{EXAMPLES / script}.py:{agent}:{tmp_path}")


def first_legal(text):
    """The first action that a prompt lists, as an answer in prose with JSON at its end."""
    action = next(line[2:].partition(": ")[0] for line in text.partition("Legal actions:")[2].splitlines()[1:])
    return f'I would rather give up. But no: {{"actions": ["{action}"]}}'


GAMES = [("romans-go-home", ["greedy"]), ("roma", ["raider"]), ("struggle", ["chieftain", "trader"])]


@pytest.mark.parametrize(("game", "others"), GAMES, ids=[game for game, _ in GAMES])
def test_textarena_plays_whole_games_with_a_stub(textarena, game, others):
    settings = {"max_rounds": 3} if game == "struggle" else {}
    env = textarena.ta.make(textarena.spec_of(game).env_id, **settings)
    env.reset(num_players=1 + len(others), seed=5)
    prompts = []

    def stub(text):
        assert text.endswith(textarena.describe(env.game.view(0)))  # its own seat's alone
        prompts.append(text)
        return first_legal(text)

    rewards, notes = textarena.play(env, [stub, *(textarena.SeatAgent(env, spec) for spec in others)])
    assert env.game.is_over
    assert rewards == {seat: env.game.returns()[player] for seat, player in enumerate(env.game.players)}
    assert notes[0]["reason"].startswith("The game is over. Points: player_0 ")
    assert not any(note["invalid_move"] for note in notes.values())
    assert prompts and all("You are player_0." in prompt for prompt in prompts)
    assert prompts[0].startswith(textarena.introduce(game))
    assert max(map(len, prompts)) < 3 * min(map(len, prompts))


def test_textarena_asks_again_says_why_and_ends_the_game_of_a_silent_player(textarena):
    env = textarena.ta.make("RomansGoHome-v0", error_allowance=2)
    env.reset(num_players=2, seed=5)
    prompts = []

    def silent(text):
        prompts.append(text)
        return ["", '{"actions": ["take:1"]}', '{"actions": ['][len(prompts) - 1]

    rewards, notes = textarena.play(env, [silent, silent])
    assert rewards == {0: -1.0, 1: 1.0}
    assert notes[0]["invalid_move"] and not notes[1]["invalid_move"]
    assert "player_0 named no legal action too often" in notes[0]["reason"]
    assert len(prompts) == 3 and not env.game.is_over
    assert "there is no JSON object" in prompts[1] and "take:1 is not legal" in prompts[2]
    assert all(prompt.endswith(textarena.describe(env.game.view(0))) for prompt in prompts)


def test_textarena_plays_a_plan_without_asking_again(textarena):
    env = textarena.ta.make("RomansGoHome-v0")
    env.reset(num_players=2, seed=5)
    plan, twin = [], env.game.clone()
    while twin.seat_to_act == 0:
        plan.append(twin.legal_actions()[0])
        twin.act(plan[-1])
    assert len(plan) > 3
    done, _ = env.step(textarena.format_answer(plan, env.game.view(0)))
    assert not done
    assert env.get_observation()[0] == 1
    assert env.game.position() == twin.position()


def test_textarena_runs_from_the_command_line_and_refuses_a_number_of_players(textarena, capsys):
    with pytest.raises(ValueError, match="Roma is a game for 2 players, not 3"):
        textarena.ta.make("Roma-v0").reset(num_players=3)
    textarena.main(["--agents", "random,greedy", "--games", "1", "--seed", "3"], standalone_mode=False)
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("game 1: random ") and "The game is over. Points: player_0 " in line


@pytest.mark.parametrize("game", [game for game, _ in GAMES])
def test_verifiers_serves_the_tools_of_the_game_that_the_prompt_shows(verifiers, game):
    mcp = pytest.importorskip("mcp")
    server = pytest.importorskip("mcp.server.mcpserver")
    config = verifiers.SeatsConfig(game=game, against="random", num_deals=1, first_seed=5)
    seats = list(verifiers.Seats(config))
    assert [task.data.start["seat"] for task in seats] == list(range(4 if game == "struggle" else 2))

    async def play(task):
        (toolset,) = task.toolsets(config.task)
        await toolset.setup_task(task.data)
        tools = server.MCPServer("tools")
        toolset.register(tools)
        async with mcp.Client(tools) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == {"rules", "look", "choose", *(["plan"] if game == "romans-go-home" else [])}
            text = (await client.call_tool("look", {})).content[0].text
            assert task.data.prompt.endswith(text)
            while "The game is over." not in text:
                action = next(line[2:].partition(": ")[0] for line in text.splitlines() if line.startswith("- "))
                text = (await client.call_tool("choose", {"action": action})).content[0].text
        assert toolset.env.is_over and toolset.env.num_refused == 0

    asyncio.run(play(seats[-1]))


# -- learning from data


def test_a_policy_is_learnt_from_data_alone(monkeypatch, tmp_path, capsys):
    for library in ("torch", "pyarrow"):
        pytest.importorskip(library, reason=f"needs {library}; install the extras 'train' and 'data'")
    example = imported("learn_from_data", monkeypatch)
    agents = [romans_agents.make("greedy"), romans_agents.make("random")]
    with open(tmp_path / "games.jsonl", "w", encoding="utf-8") as file:
        evaluate(agents[0], agents[1:], Table(2, 0), 20, on_record=lambda record: write_line(file, record))
    export_decisions([tmp_path / "games.jsonl"], tmp_path / "games")
    folder = tmp_path / "cloned"
    small = ["--hidden", "32", "--epochs", "2", "--batch", "64", "--deals", "2", "--folder", str(folder)]
    example.main([str(tmp_path / "games"), *small], standalone_mode=False)
    printed = capsys.readouterr().out.splitlines()
    losses = [float(line.rpartition(" ")[2]) for line in printed if line.startswith("epoch")]
    assert losses[1] < losses[0]
    assert romans_agents.make(str(folder / "policy.npz")).policy.meta["cloned_from"] == "greedy"


# -- TRL


@pytest.fixture(scope="module")
def trl_example(tmp_path_factory):
    """The example with TRL, and its options for a model that was fitted for a step."""
    for library in ("torch", "trl", "datasets", "transformers"):
        pytest.importorskip(library, reason=f"needs {library}; install the extra 'trl'")
    folder = str(tmp_path_factory.mktemp("chat"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
        patch.setenv("HF_HUB_OFFLINE", "1")
        small = ["--deals", "4", "--steps", "1", "--folder", folder]
        fit_chat = imported("fit_chat", patch)
        fit_chat.main(small, standalone_mode=False)
        fit_chat.main([*small, "--model", folder], standalone_mode=False)  # goes on with a model that there is
        yield (
            imported("trl_grpo", patch),
            ["--model", folder, "--generations", "2", "--per-device", "2", "--deals", "2"],
        )


def test_a_call_that_a_model_is_fitted_to_has_the_arguments_of_its_own_tool(trl_example, monkeypatch):
    example = imported("fit_chat", monkeypatch)
    env = example.make_text_env("romans-go-home", against="random")
    tools = [example.get_json_schema(tool) for tool in env.tools]
    game = example.conversation(env, romans_agents.make("greedy"), example.tasks("romans-go-home", 1)[0], calls=2)
    assert [call["function"]["name"] for said in game for call in said.get("tool_calls", [])] == ["plan", "choose"]
    assert example.rows_of([game], tools)[0] == {"messages": game, "tools": tools}


def test_a_pretrained_model_is_fitted_to_answers_as_the_agent_asks_for_them(trl_example, monkeypatch, tmp_path):
    load_file = pytest.importorskip("safetensors.numpy").load_file
    example, folder = imported("fit_chat", monkeypatch), trl_example[1][1]
    task = example.tasks("romans-go-home", 1)[1]
    player, rival = romans_agents.make("greedy"), romans_agents.make("random")
    rows = example.answers(player, rival, task)
    assert rows == example.answers(player, rival, task) and len(rows) > 10
    for row in rows:
        asked, question = (message["content"] for message in row["prompt"])
        (answer,) = json.loads(row["completion"][0]["content"])["actions"]
        assert asked == introduce("romans-go-home")
        assert f"You are player_{task['seat']}.\n" in question and f"\n- {answer}" in question
    small = ["--deals", "1", "--steps", "1", "--batch", "2", "--to", "answers"]
    example.main([*small, "--model", folder, "--folder", str(tmp_path / "fitted")], standalone_mode=False)
    before, after = (load_file(Path(one) / "model.safetensors") for one in (folder, tmp_path / "fitted"))
    assert any((before[key] != after[key]).any() for key in before)


def test_a_model_that_cannot_be_fitted_is_refused_in_a_sentence(trl_example, monkeypatch, tmp_path):
    transformers = pytest.importorskip("transformers")
    example, folder = imported("fit_chat", monkeypatch), trl_example[1][1]
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    plain = "{% for message in messages %}{{ message['content'] }}{% endfor %}"
    for template, options, message in (
        (None, ["--to", "answers"], "has no chat template: take a model that was made to chat"),
        (plain, [], "has no calls of tools that TRL knows: add --to answers"),
    ):
        tokenizer.chat_template = template
        tokenizer.save_pretrained(tmp_path / "model")
        if template is None:
            (tmp_path / "model" / "chat_template.jinja").unlink(missing_ok=True)
        with pytest.raises(example.click.UsageError, match=message):
            example.main(["--model", str(tmp_path / "model"), *options], standalone_mode=False)
    with pytest.raises(example.click.UsageError, match="--to answers needs a --model"):
        example.main(["--to", "answers"], standalone_mode=False)


def test_trl_finds_the_tools_and_plays_by_them(trl_example, monkeypatch, tmp_path):
    """Two steps of GRPO; the model's output is replaced by tool calls."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    example, small = trl_example
    heard, trainers, numbers = [], [], itertools.count()

    def calls(model, input_ids, **_others):
        tokenizer = trainers[0]._tokenizer
        rows = []
        for row in input_ids:
            listed = re.findall(r"^- (.+?): ", tokenizer.decode(row), re.MULTILINE)
            action = listed[-1] if next(numbers) % 3 else "fly"
            call = f'{{"name": "choose", "arguments": {{"action": "{action}"}}}}'
            text = f"<tool_call>\n{call}\n</tool_call><|im_end|>"
            rows.append(torch.cat([row, torch.tensor(tokenizer.encode(text, add_special_tokens=False))]))
        return torch.nn.utils.rnn.pad_sequence(rows, True, tokenizer.pad_token_id)

    class Heard(example.GRPOTrainer):
        def __init__(self, *arguments, **settings):
            super().__init__(*arguments, **settings)
            trainers.append(self)
            assert {tool.__name__ for tool in self.tools} == {"choose", "look", "plan", "rules"}

        def log(self, logs, *arguments, **settings):
            heard.append(logs)
            super().log(logs, *arguments, **settings)

    monkeypatch.setattr(example, "GRPOTrainer", Heard)
    monkeypatch.setattr(transformers.Qwen3ForCausalLM, "generate", calls)
    example.main([*small, "--steps", "2", "--calls", "6", "--folder", str(tmp_path)], standalone_mode=False)
    steps = [logs for logs in heard if "reward" in logs]
    assert len(steps) == 2
    assert all(logs["tools/call_frequency"] > 1 and logs["tools/failure_frequency"] == 0 for logs in steps)
    assert sum(env.num_refused for env in trainers[0].environments) > 0
    assert all(len(env.game.actions) > 2 for env in trainers[0].environments)
    assert (tmp_path / "model.safetensors").exists()


@pytest.mark.parametrize(
    ("points", "num_played", "why"),
    [
        ([0, 0, 3, 3], [0, 0, 0, 0], "has played no action in 4 games"),
        ([0, 0, 3, 3], [1, 0, 0, 0], "all games of a deal have the same points"),
        ([0, 1, 3, 3], [1, 0, 0, 0], ""),
    ],
)
def test_games_that_do_not_differ_within_a_deal_teach_nothing(trl_example, points, num_played, why):
    said = trl_example[0].nothing_to_learn([7, 7, 8, 8], points, num_played)
    assert why in said and bool(why) == bool(said)


def test_the_examples_for_language_models_run_as_they_stand(trl_example, tmp_path, capsys):
    example, small = trl_example
    short = ["--steps", "1", "--calls", "2", "--tokens", "48", "--folder", str(tmp_path)]
    example.main([*small, *short], standalone_mode=False)
    printed, warned = capsys.readouterr()
    for when in ("before", "after"):
        assert re.search(rf"{when}: -?[\d.]+ \[.*\] points, [\d.]+ \[.*\] answers refused, in 4 games", printed)
    # The model was fitted in one step, and calls no tool.
    assert "nothing to learn from this step: the model has played no action in 2 games" in warned
    assert "1 times there was nothing to learn" in warned
    assert (tmp_path / "model.safetensors").exists()
