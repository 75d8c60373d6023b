"""Distils `legate` into the small network of the page "Play", which browsers have to download.

    python docs/scripts/make_play_network.py --minutes 33 --to first.npz
    python docs/scripts/make_play_network.py --minutes 50 --seed 2 --begin first.npz    # docs/site/play/tiro.npz

The small network learns the probabilities and the values of `legate` (cross entropy; squared error) at positions of
games on the tables of the page, in which each seat is played by `legate`, by the small network itself or at random. Its
weights are then rounded to eight bits; the file holds the rounded weights, so that the network plays alike in Python
and on the page.
"""

from __future__ import annotations

import argparse
import math
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from romans_agents import Policy
from romans_agents.romans_go_home.trained.legate import LEGATE_FILE
from romans_env.core.batch import Batch
from romans_env.romans_go_home.rules import RomansGoHome
from romans_env.romans_go_home.setup import Table
from romans_training.learn.torch_networks import layers_of

FILE = Path(__file__).resolve().parents[1] / "site" / "play" / "tiro.npz"
TABLES = (Table(2, 0), Table(2, 1))
GAMES = 1024
POLICY_WIDTHS, VALUE_WIDTHS = (288, 288), (96, 48)
LEGATE, SMALL, RANDOM = range(3)
SHARES = (0.5, 0.4, 0.1)
"""Share of the seats that each of them plays."""
NOISE = 0.03
"""Share of actions that are random, whoever plays, so that the network also meets unusual positions."""
RATE = 2e-3


def network(inputs: int, widths: tuple[int, ...], outputs: int) -> torch.nn.Sequential:
    """Return a network with a ReLU after every layer but the last."""
    sizes = (inputs, *widths)
    layers: list[torch.nn.Module] = []
    for before, after in pairwise(sizes):
        layers += [torch.nn.Linear(before, after), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers, torch.nn.Linear(sizes[-1], outputs))


def rounded(layers: list[Any]) -> list[Any]:
    """Return layers whose weights are -127 to 127 times a power of two per row, which is exact in float16."""
    scales = [2.0 ** np.ceil(np.log2(np.abs(w).max(axis=1, keepdims=True) / 127)) for w, _ in layers]
    return [(s * np.rint(w / s), b) for s, (w, b) in zip(scales, layers, strict=True)]


def drawn(probabilities: Any, rng: np.random.Generator) -> Any:
    """Return one action per row, drawn from the row's probabilities."""
    sums = probabilities.cumsum(axis=1)
    return (sums < rng.random((len(sums), 1)) * sums[:, -1:]).sum(axis=1).clip(max=probabilities.shape[1] - 1)


def main() -> None:
    """Distil the network and write its file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=25.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="file written by this program from which to continue")
    parser.add_argument("--to", type=Path, default=FILE)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    teacher = Policy.load(LEGATE_FILE)
    batches = [Batch(RomansGoHome(table), GAMES) for table in TABLES]
    for k, batch in enumerate(batches):
        batch.start(given.seed * 1_000_000 + k * GAMES)
    inputs, actions = teacher.scale.size, batches[0].out.masks.shape[1]
    pi, vf = network(inputs, POLICY_WIDTHS, actions), network(inputs, VALUE_WIDTHS, 1)
    if given.begin:
        before = Policy.load(given.begin)
        for one, layers in ((pi, before.pi), (vf, before.vf)):
            named = zip(one.state_dict(), (array for layer in layers for array in layer), strict=True)
            one.load_state_dict({name: torch.from_numpy(array) for name, array in named})
    optimizer = torch.optim.Adam([*pi.parameters(), *vf.parameters()], RATE)
    scale = torch.from_numpy(teacher.scale)
    seen = np.zeros(inputs, dtype=bool)
    who = rng.choice(3, p=SHARES, size=(len(batches), GAMES, 2))
    began, told, step = time.time(), 0.0, 0
    while (part := (time.time() - began) / (60 * given.minutes)) < 1:
        observations = np.concatenate([batch.out.observations for batch in batches])
        masks = np.concatenate([batch.out.masks for batch in batches])
        seats = np.concatenate([batch.out.seats for batch in batches]).astype(int)
        seen |= observations.any(axis=0)
        taught, values = teacher.probabilities(observations, masks), teacher.values(observations)
        x = torch.from_numpy(observations).float() * scale
        logits = pi(x).masked_fill(torch.from_numpy(masks) == 0, -1e9).log_softmax(dim=1)
        target = torch.from_numpy(taught)
        gap = (target * (target.clamp(min=1e-9).log() - logits)).sum(dim=1).mean()
        error = (vf(x)[:, 0] - torch.from_numpy(values)).square().mean()
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, step / 100) * 0.5 * (1 + math.cos(math.pi * part))
        optimizer.zero_grad()
        (gap + error).backward()
        optimizer.step()
        # Play on to the next positions.
        of_seat = who.reshape(-1, 2)[np.arange(len(seats)), seats]
        chance = np.where(rng.random(len(seats)) < NOISE, RANDOM, of_seat)[:, None]
        own = logits.detach().exp().numpy()
        played = np.where(
            chance == LEGATE, taught, np.where(chance == SMALL, own, masks / masks.sum(axis=1, keepdims=True))
        )
        for k, (batch, chosen) in enumerate(zip(batches, np.split(drawn(played, rng), len(batches)), strict=True)):
            ended = batch.step(chosen).ends != 0
            who[k, ended] = rng.choice(3, p=SHARES, size=(int(ended.sum()), 2))
        step += 1
        if time.time() - told > 30:
            told = time.time()
            print(f"{100 * part:.0f} %: step {step}, KL {gap.item():.4f}, value error {error.item():.4f}", flush=True)
    for one in (pi, vf):
        # Inputs that are always 0 on these tables get weight 0, which compresses well.
        with torch.no_grad():
            one[0].weight[:, torch.from_numpy(~seen)] = 0.0
    notes = {
        "activation": "relu",
        "game": "romans-go-home",
        "sample": True,
        "from": "legate",
        "decisions": step * 2 * GAMES,
    }
    Policy(rounded(layers_of(pi)), rounded(layers_of(vf)), teacher.scale, notes).save(given.to, dtype="float16")
    print(f"{given.to}: {given.to.stat().st_size:,} bytes, {step * 2 * GAMES:,} decisions")


if __name__ == "__main__":
    main()
