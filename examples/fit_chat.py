"""Fine-tunes a language model on games of an agent, played by tool calls or by answers in text.

pip install "romans-env[train,trl]"
python examples/fit_chat.py --folder runs/chat    # a processor, nothing downloaded
python examples/trl_grpo.py --model runs/chat --calls 2 --rate 1e-4
python examples/fit_chat.py --folder runs/real --model Qwen/Qwen3-1.7B    # a pretrained one, or its folder; on a GPU
python examples/fit_chat.py --folder runs/real --model Qwen/Qwen3-1.7B --to answers    # as `llm:` asks for them
romans benchmark "llm:runs/real,url=http://127.0.0.1:8000/v1" --deals 6    # served by: transformers serve runs/real

Without --model, the program creates a tiny model with random weights, and a tokenizer for these texts, in which
frequent lines take few tokens. A pretrained model must have a chat template; for tool calls, one that TRL knows.
docs/agents/language_models.md reports results.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import click
import torch
from datasets import Dataset
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from transformers.utils import get_json_schema
from trl import SFTConfig, SFTTrainer, chat_template_utils

import romans_agents
from romans_agents.external.text_env import TextEnv, make_text_env, tasks
from romans_env import Game
from romans_env.core.games import spec_of
from romans_training.data.chat import chat_example_of

SIGNS = "<|im_start|>", "<|im_end|>", "<|endoftext|>"
PIECES = Regex(r'"\w+"[^"\n]*\n?| ?[A-Z][\w\']*|[^|\n"A-Z]+[|\n]?|.|\n')
"""The pieces from which tokens are made: names of actions and cards, and the text between them."""


def conversation(env: TextEnv, player: romans_agents.Agent, task: dict[str, Any], calls: int) -> list[dict[str, Any]]:
    """Return a game of a player as messages with tool calls, up to a number of calls; a call plans a whole round."""
    asked, seat = task["prompt"][-1], task["seat"]
    messages = [{**asked, "content": asked["content"] + env.reset(**task)}]
    player.seed(task["seed"])
    while not env.is_over and len(messages) < 2 * calls:
        game, cards = env.game.clone(), []
        while game.seat_to_act == seat and game.position()["turn"] == 0:
            cards.append(played(game, player).partition(":")[2])
        if cards:
            tool, arguments = "plan", {"set_aside": cards[0], "line": cards[1:]}
        else:
            tool, arguments = "choose", {"action": played(game, player)}
        call = {"type": "function", "function": {"name": tool, "arguments": arguments}}
        messages += [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "name": tool, "content": getattr(env, tool)(**arguments)},
        ]
    return [*messages, {"role": "assistant", "content": "The game is over."}] if env.is_over else messages[:-1]


def answers(player: romans_agents.Agent, rival: romans_agents.Agent, task: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a player's decisions in a game as the questions that `llm:MODEL` asks, with the answers."""
    game, rows = Game(spec_of("romans-go-home").make_rules(), seed=task["seed"]), []
    player.seed(task["seed"])
    rival.seed(task["seed"])
    while (seat := game.seat_to_act) is not None:
        is_asked, view = seat == task["seat"], game.view(seat)
        action = (player if is_asked else rival).act(view)
        if is_asked:
            prompt, completion, *_ = chat_example_of(view, action)
            rows.append({"prompt": prompt, "completion": completion})
        game.act(action)
    return rows


def played(game: Any, player: romans_agents.Agent) -> str:
    """Play a decision, and return the name of the action."""
    action = player.act(game.view(game.seat_to_act))
    name = game.action_name(action)
    game.act(action)
    return name


def tokenizer_of(games: list[list[dict[str, Any]]], tools: list[dict[str, Any]]) -> PreTrainedTokenizerFast:
    """Create a tokenizer for these games; a line that occurs in one of fifty games is a single token."""
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE()))
    tokenizer.chat_template = chat_template_utils.qwen3_instruct_2507_chat_template
    texts = [tokenizer.apply_chat_template(game, tools=tools, tokenize=False) for game in games]
    pairs = Tokenizer(models.BPE())
    pieces = pre_tokenizers.Split(PIECES, "isolated")
    letters = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    pairs.pre_tokenizer, pairs.decoder = pre_tokenizers.Sequence([pieces, letters]), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    pairs.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=1024, initial_alphabet=alphabet))
    found = Counter(line for text in texts for line in set(text.splitlines(keepends=True)))
    lines = sorted(line for line, count in found.items() if 50 * count >= len(texts))
    fast = PreTrainedTokenizerFast(tokenizer_object=pairs, eos_token=SIGNS[1], pad_token=SIGNS[2])
    fast.add_special_tokens({"additional_special_tokens": [SIGNS[0]]})
    fast.add_tokens([AddedToken(line, normalized=False) for line in lines if len(line) > 8 and "<|" not in line])
    fast.chat_template = tokenizer.chat_template
    return fast


def tiny_model(tokenizer: PreTrainedTokenizerFast) -> Qwen3ForCausalLM:
    """Create a model with a few hundred thousand random weights."""
    sizes: dict[str, Any] = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "head_dim": 16}
    heads: dict[str, Any] = {"num_attention_heads": 4, "num_key_value_heads": 4, "tie_word_embeddings": True}
    return Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), **heads, **sizes))


def rows_of(games: list[list[dict[str, Any]]], tools: list[dict[str, Any]]) -> Dataset:
    """Return the games as rows; without ``use_json``, every call would have the arguments of all tools, mostly null."""
    return Dataset.from_list([{"messages": game, "tools": tools} for game in games], on_mixed_types="use_json")


def pretrained_model(name: str, has_tools: bool) -> tuple[Any, Any]:
    """Load a tokenizer and a model by name or from a folder, and check that the chat template is sufficient."""
    tokenizer = AutoTokenizer.from_pretrained(name)
    if not tokenizer.chat_template:
        raise click.UsageError(f"{name} has no chat template: take a model that was made to chat (often '-Instruct')")
    if has_tools:
        try:
            has_calls = chat_template_utils.supports_tool_calling(tokenizer)
            if has_calls and not chat_template_utils.has_generation_markers(tokenizer.chat_template):
                chat_template_utils.get_training_chat_template(tokenizer)
        except ValueError:
            has_calls = False
        if not has_calls:
            raise click.UsageError(
                f"the chat template of {name} has no calls of tools that TRL knows: add --to answers"
            )
    return tokenizer, AutoModelForCausalLM.from_pretrained(name)


@click.command()
@click.option("--player", default="greedy", show_default=True, help="Agent spec of the player to imitate.")
@click.option("--against", default="random", show_default=True, help="Agent spec of the opponent.")
@click.option("--deals", default=500, show_default=True, help="Deals, each played from both seats.")
@click.option(
    "--to", type=click.Choice(["tools", "answers"]), default="tools", show_default=True, help="Format of the games."
)
@click.option("--calls", default=2, show_default=True, help="Tool calls per game.")
@click.option("--steps", default=300, show_default=True, help="Training steps.")
@click.option("--batch", default=16, show_default=True, help="Games per step; with --to answers, decisions.")
@click.option("--model", "pretrained", help="Folder of a pretrained model, or its name on the Hugging Face Hub.")
@click.option("--rate", type=float, help="Learning rate.  [default: 3e-3, or 2e-5 for a pretrained model]")
@click.option("--folder", default="runs/chat", show_default=True)
def main(
    player: str,
    against: str,
    deals: int,
    to: str,
    calls: int,
    steps: int,
    batch: int,
    pretrained: str | None,
    rate: float | None,
    folder: str,
) -> None:
    """Play the games, train the model on them, and write it into the folder."""
    has_tools = to == "tools"
    if pretrained is None and not has_tools:
        raise click.UsageError("--to answers needs a --model that can chat already")
    loaded = None if pretrained is None else pretrained_model(pretrained, has_tools)
    env, agent = make_text_env("romans-go-home", against=against), romans_agents.make(player)
    rows = tasks("romans-go-home", deals, first_seed=1_000_000)
    torch.manual_seed(0)
    if has_tools:
        games = [conversation(env, agent, task, calls) for task in rows]
        tools = [get_json_schema(tool) for tool in env.tools]
        data = rows_of(games, tools)
    else:
        rival = romans_agents.make(against)
        data = Dataset.from_list([row for task in rows for row in answers(agent, rival, task)])
    if loaded is None:
        tokenizer = tokenizer_of(games[:200], tools)
        model = tiny_model(tokenizer)
    else:
        tokenizer, model = loaded
    has_gpu = pretrained is not None and torch.cuda.is_available()
    trainer = SFTTrainer(
        model,
        args=SFTConfig(
            output_dir=folder,
            max_steps=steps,
            per_device_train_batch_size=batch,
            learning_rate=rate or (3e-3 if pretrained is None else 2e-5),
            assistant_only_loss=has_tools,
            max_length=None,
            gradient_checkpointing=False,
            bf16=has_gpu,
            use_cpu=not has_gpu,
            report_to="none",
            save_strategy="no",
            logging_steps=10,
        ),
        train_dataset=data,
        processing_class=tokenizer,
    )
    trainer.train()
    trainer.save_model(folder)


if __name__ == "__main__":
    main()
