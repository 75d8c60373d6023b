"""Fits a tiny language model to games in words, and measures what that gains: a first fine-tuning in small.

pip install "romans-env[train,data,trl]"
romans evaluate greedy --against greedy --table 2+0 --deals 1000 --seed 1 --records games.jsonl
romans export games.jsonl --to chat --out chat
python examples/fit_chat.py chat

The rows are prompts and completions, as TRL's SFTTrainer takes them; here a loop of ten lines fits a model of random
weights that is small enough for a processor. The model plays by the likelihood of every legal answer.
docs/language_models.md has the figures.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import Qwen3Config, Qwen3ForCausalLM

import romans_agents
from romans_agents import Agent
from romans_env import Table, View
from romans_env.render.language import describe, format_answer
from romans_training.evaluation import evaluate
from romans_training.reporting import in_percent


class ChatAgent(Agent):
    """Plays the legal answer that a language model finds likeliest."""

    name = "chat"

    def __init__(self, model: Any, tokenizer: Tokenizer):
        self._model, self._tokenizer = model, tokenizer

    def act(self, view: View) -> int:
        """The likeliest action."""
        legal = view.legal_actions()
        prompt = torch.tensor([self._tokenizer.encode(describe(view)).ids])
        answers = [("", format_answer([action], view)) for action in legal]
        ids, is_answer = batch_of(self._tokenizer, answers)
        with torch.no_grad():
            # The prompt is read once, and stands before every answer.
            read = self._model(prompt[:, :-1], use_cache=True).past_key_values
            read.batch_repeat_interleave(len(legal))
            last = prompt[:, -1:].expand(len(legal), 1)
            scores = self._model(torch.cat([last, ids[:, :-1]], dim=1), past_key_values=read).logits
        nats = torch.nn.functional.cross_entropy(scores.transpose(1, 2), ids, reduction="none")
        return legal[int((nats * is_answer).sum(dim=1).argmin())]


def batch_of(tokenizer: Tokenizer, texts: list[tuple[str, str]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids of prompts with their answers, shape (n, longest), 0 where one ends; and which belong to answers."""
    pairs = [(tokenizer.encode(prompt).ids, tokenizer.encode(answer).ids) for prompt, answer in texts]
    ids = torch.zeros((len(pairs), max(len(a) + len(b) for a, b in pairs)), dtype=torch.long)
    is_answer = torch.zeros(ids.shape)
    for row, (prompt, answer) in enumerate(pairs):
        ids[row, : len(prompt) + len(answer)] = torch.tensor(prompt + answer)
        is_answer[row, len(prompt) : len(prompt) + len(answer)] = 1.0
    return ids, is_answer


def losses_of(model: Any, ids: torch.Tensor, is_answer: torch.Tensor) -> torch.Tensor:
    """How unlikely the answers are, in nats: float32, shape (n,)."""
    scores = model(ids[:, :-1]).logits
    nats = torch.nn.functional.cross_entropy(scores.transpose(1, 2), ids[:, 1:], reduction="none")
    return (nats * is_answer[:, 1:]).sum(dim=1)


def win_rate(agent: Agent, deals: int) -> str:
    """What an agent wins against random, in %."""
    return in_percent(evaluate(agent, [romans_agents.make("random")], Table(2, 0), deals, seed=9).win_rate)


@click.command()
@click.argument("data", type=click.Path(path_type=Path, exists=True))
@click.option("--minutes", default=8.0, show_default=True, help="Of fitting.")
@click.option("--deals", default=100, show_default=True, help="Deals against random, before and after.")
@click.option("--seed", default=0, show_default=True)
def main(data: Path, minutes: float, deals: int, seed: int) -> None:
    """Fit the model, and print what it wins against random before and after."""
    table = pd.read_parquet(data / "decisions", columns=["prompt", "completion"])
    texts = [(row.prompt[-1]["content"], row.completion[0]["content"]) for row in table.itertuples()]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator((" ".join(pair) for pair in texts[:5000]), trainers.BpeTrainer(vocab_size=1024))
    torch.manual_seed(seed)
    sizes: dict[str, Any] = {"hidden_size": 96, "intermediate_size": 192, "num_hidden_layers": 2, "head_dim": 24}
    vocabulary = tokenizer.get_vocab_size()
    model = Qwen3ForCausalLM(Qwen3Config(vocab_size=vocabulary, num_attention_heads=4, num_key_value_heads=4, **sizes))
    won = [win_rate(ChatAgent(model, tokenizer), deals)]
    optimizer, rng = torch.optim.AdamW(model.parameters(), lr=2e-3), np.random.default_rng(seed)
    started, step = time.time(), 0
    while time.time() < started + 60 * minutes:
        ids, is_answer = batch_of(tokenizer, [texts[k] for k in rng.integers(len(texts), size=16)])
        loss = losses_of(model, ids, is_answer).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % 50 == 0:
            click.echo(f"{step} steps, {loss.item():.2f} nats an answer")
    won.append(win_rate(ChatAgent(model, tokenizer), deals))
    click.echo(f"wins against random: {won[0]} with random weights, {won[1]} fitted")


if __name__ == "__main__":
    main()
