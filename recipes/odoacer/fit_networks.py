"""Fits the two networks of `odoacer`: for the win probability, and for the selection of rollouts.

    python -m recipes.odoacer.fit_networks win-chance --output runs/odoacer/odoacer_win_chance.npz
    python -m recipes.odoacer.fit_networks prior --output runs/odoacer/odoacer.npz

`win-chance` fine-tunes `stilicho`'s network on the results of games in which, up to a random decision, seats play with
perturbed weights of `trader` and make errors. `prior` plays games of `odoacer` against three copies of `trader`, with
the current network and two rollouts of every candidate. It fits three outputs to these rollouts: the mean gain over
`trader`'s choice, the variance of that estimate, and the variance of a rollout.

The packaged files were made by earlier versions of this program: `odoacer_win_chance.npz` with 112,000 games;
`odoacer.npz` in three stages, each of which continued the one before: 507,000 positions from games of `trader`, with
rollouts of 8 turns; 213,000 positions, mostly from games played without rollouts, with 8 turns; 91,000 positions from
games of `odoacer`, with 13 turns, and 78,000 from the second stage. The defaults have the same total size.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from recipes.stilicho.fit_win_chance import Erring, Fit, cross_entropy, learn, play_examples
from recipes.stilicho.teacher import choose_each
from romans_agents import make
from romans_agents.batches.self_play_batch import SelfPlayBatch
from romans_agents.struggle.selective_rollouts import FARTHEST, LARGEST, MOST, TURNS, Prior
from romans_agents.struggle.styles import LEAST_GAIN, OFFER_GAIN, RIVAL, STYLES, TRADER
from romans_agents.struggle.trained.odoacer import WIN_CHANCE_FILE
from romans_agents.struggle.trained.stilicho import STILICHO_FILE, StilichoAgent
from romans_agents.struggle.win_chance import load_win_chance
from romans_env import Game, View
from romans_env.core.files import atomic_write
from romans_env.struggle import StruggleForRome, StruggleSetup

SIZES = {"win-chance": (112_000, 3e-4, 1e-3), "prior": (10_800, 1e-3, 1e-2)}  # games, learning rate, weight decay
KEPT = 0.1  # the part of the turns that win-chance learns from
PASSES, MINIBATCH, LARGEST_GAIN = 3, 1024, 0.15  # of prior, like what follows
ROLLOUTS, EXPLORED, CAUTION = (
    2,
    0.05,
    0.8,
)  # of a candidate; choices at random; standard deviations, as DOUBT of the agent
Integers = npt.NDArray[np.int64]
Positions = tuple[torch.Tensor, ...]
"""Of n decisions the observations, int8; of MOST candidates each, as `write_candidates` gives them, the actions, int64,
scores, and 1 where there is one; the chances to win by rollouts, shape (n, ROLLOUTS, MOST). The latter are float32."""


class Deviating(Erring):
    """Other weights than `trader`'s and errors up to a decision of each game; only what follows is kept."""

    def __init__(self, num_games: int, rng: np.random.Generator):
        trader, seats = STYLES[TRADER], (num_games, 4)
        self._styles = trader * np.exp(0.35 * rng.normal(size=(*seats, trader.size)))
        self._styles[..., (OFFER_GAIN, LEAST_GAIN, RIVAL)] = np.abs(0.1 * rng.normal(size=(*seats, 3)))
        self._styles[rng.random(seats) < 0.4] = trader
        self._left, self._errors = rng.integers(260, size=num_games), rng.choice((0.03, 0.1, 0.2), size=num_games)
        self._rules, self._lister = StruggleForRome(), StilichoAgent()

    def are_kept(self, games: Integers) -> npt.NDArray[np.bool_]:
        return self._left[games] <= 0

    def choose(self, batch: SelfPlayBatch, games: Integers, rng: np.random.Generator) -> Integers:
        """Choose an action in each game, int64, shape (n,); an error is sampled from the best actions by score."""
        seats, deviates = self._rules.seats_to_act(batch.states)[games], self._left[games] > 0
        styles = np.where(deviates[:, None], self._styles[games, seats], STYLES[TRADER])
        choose_each(batch.states, games, styles, actions := np.empty(games.size, dtype=np.int64))
        for k in np.flatnonzero(deviates & (rng.random(games.size) < self._errors[games])):
            private = self._rules.redacted_for(batch.states, int(games[k]), int(seats[k]))
            found, scores = self._lister.candidates(View(self._rules, private, int(seats[k])))
            actions[k] = found[(0.5 * scores + rng.gumbel(size=scores.size)).argmax()]
        self._left[games] -= 1
        return actions


def load_fit(path: Path) -> Fit:
    """Read a network of the win probability, to be trained."""
    with np.load(path, allow_pickle=False) as arrays:
        found = {name: torch.from_numpy(arrays[name].astype(np.float32)) for name in arrays}
    for k, layer in enumerate(("first", "second", "last")):
        found |= {f"{layer}.{part}": found.pop(f"{k}_{part}") for part in ("weight", "bias")}
    fit = Fit(found["scale"].numpy(), len(found["first.bias"]))
    fit.load_state_dict(found)
    return fit


class PriorFit(nn.Module):
    """What `selective_rollouts.Prior` has, to be fitted, but for the scale and the slope, which are given."""

    def __init__(self) -> None:
        super().__init__()
        rules = StruggleForRome()
        given = torch.from_numpy(rules.observation_scale.astype(np.float32)), torch.tensor([1 / 150])
        self.scale, self.slope = (nn.Parameter(one, requires_grad=False) for one in given)
        self.first, self.second = nn.Linear(rules.observation_size, 192), nn.Linear(192, 96)
        self.action, self.gap = nn.Embedding(rules.num_actions, 96), nn.Linear(3, 96, bias=False)
        self.third, self.last = nn.Linear(96, 48), nn.Linear(48, 3)
        nn.init.normal_(self.action.weight, std=0.3)
        self.last.weight.data, self.last.bias.data = torch.zeros(3, 48), torch.tensor([0.0, -6.8, -6.8])

    def forward(self, observations: torch.Tensor, actions: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """The means of gains, the logarithms of their variances and of a rollout's: shape (3, n, MOST)."""
        gap = (scores - scores[:, :1]).clamp(-FARTHEST, 0.0)
        common = self.second(functional.relu(self.first(observations.float() * self.scale)))[:, None]
        gaps = self.gap(torch.stack([gap / 4.0, (gap == 0.0).float(), gap.exp()], dim=-1))
        last = self.last(functional.relu(self.third(functional.relu(common + self.action(actions) + gaps))))
        means = 0.1 * last[..., 0] + self.slope * gap
        return torch.stack([means - means[:, :1], *last[..., 1:].clamp(-12.0, -3.0).unbind(-1)])

    def loss(self, positions: Positions) -> torch.Tensor:
        """Squared errors of the means, and the negative log-likelihood of the two rollouts given the means."""
        *inputs, valid, chances = positions
        means, of_mean, of_rollout = self(*inputs)
        both, gains = torch.stack([means, chances.mean(1)]), chances - chances[:, :, :1]
        found, seen = both - (both * valid).sum(-1, keepdim=True) / valid.sum(-1, keepdim=True)
        squares = (found - seen.clamp(-LARGEST_GAIN, LARGEST_GAIN)) ** 2
        about, apart = of_mean.exp() + of_rollout.exp() / ROLLOUTS, 2.0 * of_rollout.exp()
        unlikely = about.log() + (gains.mean(1) - means.detach()) ** 2 / about
        unlikely = (unlikely + apart.log() + (gains[:, 0] - gains[:, 1]) ** 2 / apart)[:, 1:] * valid[:, 1:]
        return (1000.0 * (squares * valid).sum() + 0.02 * unlikely.sum()) / valid.sum()

    def save(self, path: Path) -> None:
        """Write the file that `selective_rollouts.load_prior` reads, in float16."""
        found = {name.replace(".", "_").removesuffix("_weight"): one.numpy() for name, one in self.state_dict().items()}
        found |= {name: found[name].T for name in ("first", "second", "gap", "third", "last")}
        with atomic_write(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, **{name: found[name].astype(np.float16) for name in Prior._fields})


@torch.no_grad()
def play_positions(fit: PriorFit, rater: StilichoAgent, num_games: int, rng: np.random.Generator) -> Positions:
    """Play games of the player, by what is fitted so far and rollouts, against three of `trader`."""
    trader, rules, rows = make("trader", game="struggle"), StruggleForRome(StruggleSetup()), []
    for _ in range(num_games):
        game, own = Game(rules, seed=int(rng.integers(2**31))), rng.integers(4)
        while (seat := game.seat_to_act) is not None:
            view = game.view(seat)
            if seat != own:
                game.act(trader.act(view))
                continue
            found, worth = rater.candidates(view)
            actions, scores = (np.pad(column, (0, MOST - found.size)) for column in (found, worth.astype(np.float32)))
            chances, rollouts = np.zeros((ROLLOUTS, MOST)), rater.rollouts(view, found)
            for row in chances:
                rollouts(row[: found.size], 1)
            seen, valid = np.minimum(view.observation, LARGEST).astype(np.int8), np.arange(MOST) < found.size
            rows.append((seen, actions, scores, valid.astype(np.float32), chances.astype(np.float32)))
            mean, of_mean, of_rollout = fit(*(torch.from_numpy(column)[None] for column in rows[-1][:3]))[:, 0].numpy()
            gains, precision = chances - chances[:, :1], np.exp(-of_mean) + ROLLOUTS * np.exp(-of_rollout)
            mean = (mean * np.exp(-of_mean) + gains.sum(axis=0) * np.exp(-of_rollout)) / precision
            careful = np.append(0.0, (mean - CAUTION / np.sqrt(precision))[1 : found.size])
            game.act(int(found[rng.integers(found.size) if rng.random() < EXPLORED else careful.argmax()]))
    return tuple(torch.from_numpy(np.stack(column)) for column in zip(*rows, strict=True))


@click.command()
@click.argument("network", type=click.Choice(list(SIZES)))
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write.")
@click.option("--games", type=click.IntRange(min=1), help="Total games.  [default: 112,000; 10,800 for prior]")
@click.option("--of-round", type=click.IntRange(min=1), default=1200, show_default=True, help="Games per round.")
@click.option("--win-chance", type=click.Path(path_type=Path), default=WIN_CHANCE_FILE, help="Evaluates rollouts.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Random seed.")
def main(network: str, output: Path, games: int | None, of_round: int, win_chance: Path, seed: int) -> None:
    """Fit one of the networks of `odoacer`, and write it to a file."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng, fit = np.random.default_rng(seed), load_fit(STILICHO_FILE) if network == "win-chance" else PriorFit()
    (usual, rate, decay), done, rater = SIZES[network], 0, StilichoAgent(turns=TURNS, candidates=MOST, seed=seed)
    rater.fitted = load_win_chance(win_chance)
    optimizer = torch.optim.AdamW(fit.parameters(), weight_decay=decay)
    while done < (total := games or usual):
        optimizer.param_groups[0]["lr"], more = rate * (1.0 - done / total), min(of_round, total - done)
        if isinstance(fit, Fit):
            played = play_examples(StruggleSetup(), more, KEPT, int(rng.integers(2**31)), Deviating(more, rng))
            loss = cross_entropy(fit, played)[1]
            learn(fit, optimizer, played)
        else:
            positions, losses = play_positions(fit, rater, more, rng), list[torch.Tensor]()
            for rows in (rows for _ in range(PASSES) for rows in torch.randperm(len(positions[0])).split(MINIBATCH)):
                optimizer.zero_grad()
                losses.append(fit.loss(tuple(column[rows] for column in positions)))
                losses[-1].backward()
                optimizer.step()
            loss = torch.stack(losses[: len(losses) // PASSES]).mean().item()
        done += more
        click.echo(f"{done:,} games: loss {loss:.4f} of the last {more:,}, when the fit had not seen them")
        fit.save(output)


if __name__ == "__main__":
    main()
