"""Learns a policy from exported decisions alone (behaviour cloning), and evaluates it.

pip install "romans-env[train,data]"
romans evaluate greedy --against greedy --table 2+0 --deals 5000 --seed 1 --records games.jsonl
romans export games.jsonl --to parquet --out games
python examples/learn_from_data.py games --folder runs/cloned

The data contain the observations, the action masks and the teacher's actions; neither the teacher nor the game is used
during training. docs/training/data.md reports results.
"""

from __future__ import annotations

import json
from pathlib import Path

import click
import numpy as np
import pyarrow.dataset
import torch
from torch import nn

import romans_agents
from romans_agents import Policy, PolicyAgent
from romans_env.core.games import spec_of
from romans_training.measure.evaluation import evaluate


def numbers(column: pyarrow.ChunkedArray) -> np.ndarray:
    """Convert a column of lists with the same length into an array, shape ``(rows, length)``."""
    flat = column.combine_chunks().flatten().to_numpy().copy()
    return flat.reshape(len(column), -1)


def network(size: int, hidden: tuple[int, ...], num_actions: int) -> nn.Sequential:
    """Create a multilayer perceptron, as a policy file can hold it."""
    widths = [size, *hidden]
    layers = [part for a, b in zip(widths, hidden, strict=False) for part in (nn.Linear(a, b), nn.ReLU())]
    return nn.Sequential(*layers, nn.Linear(widths[-1], num_actions))


def learned(data: Path, teacher: str, hidden: tuple[int, ...], epochs: int, batch: int, seed: int) -> Policy:
    """Train a policy to imitate the teacher's decisions in the data."""
    table = pyarrow.dataset.dataset(data / "decisions").to_table(
        columns=["observation", "action_mask", "action"], filter=pyarrow.dataset.field("agent") == teacher
    )
    notes = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    scale = spec_of(notes["game"]).make_rules().observation_scale
    observations = torch.from_numpy(numbers(table["observation"]))
    masks = torch.from_numpy(numbers(table["action_mask"])).bool()
    actions = torch.from_numpy(table["action"].to_numpy().astype(np.int64))
    torch.manual_seed(seed)
    policy = network(observations.shape[1], hidden, len(json.loads(notes["actions"])))
    steps = epochs * (len(actions) // batch)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=3e-3, total_steps=max(steps, 4))
    factors = torch.from_numpy(scale)
    for epoch in range(epochs):
        total, order = 0.0, torch.randperm(len(actions))
        for rows in order[: len(actions) // batch * batch].split(batch):
            logits = policy(observations[rows] * factors).masked_fill(~masks[rows], -torch.inf)
            loss = nn.functional.cross_entropy(logits, actions[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        click.echo(f"epoch {epoch + 1}: cross-entropy {total / max(1, len(actions) // batch):.3f}")
    layers = [
        (part.weight.detach().numpy(), part.bias.detach().numpy()) for part in policy if isinstance(part, nn.Linear)
    ]
    # The data have no values, so the value network is always 0.
    value = [(np.zeros((1, scale.size), dtype=np.float32), np.zeros(1, dtype=np.float32))]
    return Policy(layers, value, scale, {"game": notes["game"], "activation": "relu", "cloned_from": teacher})


@click.command()
@click.argument("data", type=click.Path(path_type=Path, exists=True))
@click.option("--teacher", default="greedy", show_default=True, help="Agent whose decisions are imitated.")
@click.option("--against", default="greedy", show_default=True, help="Opponent of the evaluation.")
@click.option("--hidden", default="256,256", show_default=True, help="Sizes of the hidden layers.")
@click.option("--epochs", default=14, show_default=True, help="Passes over the data.")
@click.option("--batch", default=1024, show_default=True, help="Decisions per step.")
@click.option("--deals", default=1000, show_default=True, help="Number of deals in the evaluation.")
@click.option("--seed", default=0, show_default=True, help="Seed of the weights, the order and the deals.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("runs/cloned"), help="Output folder.")
def main(
    data: Path, teacher: str, against: str, hidden: str, epochs: int, batch: int, deals: int, seed: int, folder: Path
) -> None:
    """Learn a policy from the folder DATA of `romans export --to parquet`, and compare it with its teacher."""
    policy = learned(data, teacher, tuple(map(int, hidden.split(","))), epochs, batch, seed)
    folder.mkdir(parents=True, exist_ok=True)
    policy.save(folder / "policy.npz")
    rules = spec_of(policy.game).make_rules()
    opponents = [romans_agents.make(against, game=policy.game)] * (rules.num_players - 1)
    for agent in (PolicyAgent.of(policy, "cloned"), romans_agents.make(teacher, game=policy.game)):
        result = evaluate(agent, opponents, rules, deals, seed)
        share = result.win_rate.mean + result.draw_rate.mean / 2
        click.echo(f"{agent.name} against {against}: {100 * share:.1f} % of the games")
    click.echo(f"written: {folder / 'policy.npz'}")


if __name__ == "__main__":
    main()
