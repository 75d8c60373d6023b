"""Trains a language model on Romans Go Home! with TRL's GRPO, and evaluates it before and after.

pip install "romans-env[train,trl]"
python examples/fit_chat.py --folder runs/chat                             # a tiny model that calls the tools
python examples/trl_grpo.py --model runs/chat --calls 2 --rate 1e-4        # goes on with it, on a processor
python examples/trl_grpo.py --model Qwen/Qwen3-1.7B --against greedy --steps 500 --tokens 8192 --per-device 8    # a GPU

All completions of a prompt are games with the same deal and the same random numbers of the opponent, so that they
differ only by the model's choices. The reward is the points, or the points so far if a game is cut off.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import click
import numpy as np
import torch
from datasets import Dataset
from transformers import AutoTokenizer
from trl import GRPOConfig, GRPOTrainer

from romans_agents.external.text_env import make_text_env, tasks
from romans_training.measure.intervals import mean_in_clusters
from romans_training.reporting import with_interval


def nothing_to_learn(seeds: list[int], points: list[float], num_played: list[int]) -> str:
    """Return why games teach nothing; empty if games of one deal differ in points, from which GRPO can learn."""
    if not any(num_played):
        return f"the model has played no action in {len(seeds)} games: it has to call the tools (examples/fit_chat.py)"
    if len(set(zip(seeds, points, strict=True))) == len(set(seeds)):
        return "all games of a deal have the same points: take more --generations, or more --calls and --tokens"
    return ""


@click.command()
@click.option("--model", required=True, help="Name or folder of a model that calls tools.")
@click.option("--steps", default=20, show_default=True)
@click.option("--against", default="random", show_default=True, help="Agent spec of the opponent.")
@click.option("--calls", type=int, help="The most tool calls per game.  [default: to its end]")
@click.option("--tokens", default=1024, show_default=True, help="The most tokens per game, tool answers included.")
@click.option("--generations", default=8, show_default=True, help="Games per deal, which are compared.")
@click.option("--per-device", default=32, show_default=True, help="Games per training batch on each device.")
@click.option("--rate", default=1e-6, show_default=True, help="Learning rate; a tiny model needs about 1e-4.")
@click.option("--deals", default=100, show_default=True, help="Number of deals in each evaluation.")
@click.option("--folder", default="runs/grpo", show_default=True)
def main(
    model: str,
    steps: int,
    against: str,
    calls: int | None,
    tokens: int,
    generations: int,
    per_device: int,
    rate: float,
    deals: int,
    folder: str,
) -> None:
    """Train, write the model into the folder, and print the points before and after, on separate deals."""
    is_gpu = torch.cuda.is_available()
    played: list[tuple[int, float, int]] = []
    idle: list[str] = []
    is_training = False

    def listen(environments: list[Any], seed: list[int], **_rest: Any) -> list[float]:
        points = [env.get_reward() for env in environments]
        played.extend(zip(seed, points, [env.num_refused for env in environments], strict=True))
        why = nothing_to_learn(seed, points, [env.num_played for env in environments]) if is_training else ""
        if why and why not in idle:
            click.echo(f"nothing to learn from this step: {why}", err=True)
        idle.extend([why] * bool(why))
        return points

    trainer = GRPOTrainer(
        model,
        reward_funcs=[listen],
        args=GRPOConfig(
            output_dir=folder,
            max_steps=steps,
            max_completion_length=tokens,
            max_tool_calling_iterations=calls,
            num_generations=generations,
            num_generations_eval=1,
            per_device_train_batch_size=per_device,
            per_device_eval_batch_size=per_device,
            reward_weights=[0.0],
            learning_rate=rate,
            gradient_checkpointing=is_gpu,
            use_cpu=not is_gpu,
            bf16=is_gpu,
            report_to="none",
            save_strategy="no",
            logging_steps=1,
        ),
        train_dataset=Dataset.from_list(tasks("romans-go-home", num_deals=1000)),
        eval_dataset=Dataset.from_list(tasks("romans-go-home", deals, first_seed=1_000_000_000)),
        processing_class=AutoTokenizer.from_pretrained(model),
        environment_factory=partial(make_text_env, "romans-go-home", against=against, reward="points"),
    )

    def measured(when: str) -> None:
        played.clear()
        trainer.evaluate()
        seeds, points, refused = np.array(played).T
        click.echo(
            f"{when}: {with_interval(mean_in_clusters(points, seeds))} points, "
            f"{with_interval(mean_in_clusters(refused, seeds), 2)} answers refused, in {len(played)} games"
        )

    measured("before")
    is_training = True
    trainer.train()
    is_training = False
    if idle:
        click.echo(f"{len(idle)} times there was nothing to learn: the last time, {idle[-1]}", err=True)
    measured("after")
    trainer.save_model(folder)


if __name__ == "__main__":
    main()
