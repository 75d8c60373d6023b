"""Makes the leaderboard from the results in benchmarks/results.

The output is docs/measuring/leaderboard.md and its picture, the ratings shown by ``romans agents`` (``ratings.json``
of every game), and the headers of the trained agents' cards.

    romans benchmark greedy --json benchmarks/results/romans-go-home-2+0-greedy.json
    python -m benchmarks.leaderboard
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from benchmarks.learners import Learner, learners, table
from benchmarks.pages import picture_of, unbroken, write_generated
from romans_agents import Agent, make
from romans_agents.permission import FileNotAllowedError
from romans_agents.policies.policy import PolicyAgent
from romans_env.core import games
from romans_env.core.files import write_text
from romans_env.core.games import spec_of
from romans_env.render.labels import Box, placed
from romans_training.compare.leaderboard.protocols import BenchmarkError, BenchmarkProtocol, protocol_of, protocols
from romans_training.compare.leaderboard.rating import Rating, in_points
from romans_training.compare.leaderboard.verify import checked
from romans_training.compare.tournament.entries import digest_of
from romans_training.figures import colour, save_figure, styled
from romans_training.measure.intervals import Estimate
from romans_training.reporting import in_milliseconds, in_percent

RESULTS = Path(__file__).with_name("results")
ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "measuring" / "leaderboard.md"
_NUMBERS = {2: "two", 3: "three", 4: "four"}
_LEARNER = "learning library, default settings"
_MARKS = {"scripted": "s", "searching": "D", "trained": "o", _LEARNER: "X", "elsewhere": "^"}
"""Markers of the points by the kind of agent; "elsewhere" means a file that does not come with the package."""


class Point(NamedTuple):
    """An agent in the picture."""

    name: str
    kind: str
    milliseconds: float
    mean: float
    low: float
    high: float


def results() -> dict[str, list[dict[str, Any]]]:
    """Return the results of every protocol that has any, best rating first."""
    read = [_read(path) for path in sorted(RESULTS.glob("*.json"))]
    found = {name: [one for one in read if one["protocol"] == name] for name in protocols()}
    return {name: sorted(of_one, key=_order) for name, of_one in found.items() if of_one}


def _read(path: Path) -> dict[str, Any]:
    """Return a result after checking that what it states follows from the games in it."""
    result, protocol = checked(path)
    if result.rating is None or result.deals < protocol.search_deals:
        raise BenchmarkError(f"{path} has no rating, or fewer than {protocol.search_deals} deals")
    # The files of a submitted result's agent may be missing here.
    here = digest_of(result.agent)
    if here and here != result.files:
        raise BenchmarkError(f"{path}: the files of {result.agent} have changed since it played: measure it again")
    if set("`|<>") & set(result.agent):
        raise BenchmarkError(f"{path}: a table cannot hold the agent spec {result.agent}")
    return result.as_json()


def _order(result: dict[str, Any]) -> float:
    # A rating has no mean if everything was won (it then has a lower bound) or nothing (it then has none).
    mean, low = result["rating"]["mean"], result["rating"]["low"]
    return -(mean if mean is not None else float("inf") if low is not None else float("-inf"))


def tables(found: dict[str, list[dict[str, Any]]], trained: dict[str, list[Learner]]) -> str:
    """Return a table for each protocol, and one of its learners; narrow screens show the first three columns."""
    parts = []
    for name, of_one in found.items():
        protocol = protocols()[name]
        parts.append(f"\n## {protocol.track}: {_title(protocol)} ({name})\n\n{protocol.hard}\n")
        parts.append(f"{_played(protocol, of_one)}\n")
        parts.append(
            "| agent | rating | ms per decision | wins against the opponents, % | worst opponent, and wins there, % |"
        )
        parts.append("|---|---:|---:|---:|---|")
        parts += [_row(one) for one in of_one]
        parts += [table(trained[name]).rstrip("\n")] if name in trained else []
    return "\n".join(parts) + "\n"


def _title(protocol: BenchmarkProtocol) -> str:
    small = ", the small table" if protocol.is_exact else ""
    return f"{spec_of(protocol.game).title}, {_NUMBERS[protocol.setup.num_players]} players{small}"


def _played(protocol: BenchmarkProtocol, of_one: list[dict[str, Any]]) -> str:
    opponents = ", ".join(f"`{spec}` {rating:,.0f}" for spec, rating in protocol.opponents.items())
    others = "" if protocol.setup.num_players == 2 else f", {protocol.setup.num_players - 1} of a kind in a game"
    names = {type(_made(one["agent"], protocol.game)): one["agent"] for one in of_one}
    same = {spec: names.get(type(_made(spec, protocol.game))) for spec in protocol.opponents}
    also = "".join(
        f" `{spec}` is `{name}` of today." for spec, name in same.items() if name and spec not in names.values()
    )
    return (
        f"{protocol.deals} deals (agents that search: {protocol.search_deals}) of seed {protocol.seed}, from every "
        f"seat, against each of {opponents}{others}.{also}"
    )


def _row(result: dict[str, Any]) -> str:
    worst = min(result["opponents"], key=lambda one: one["share"]["mean"])
    cells = [
        f"`{result['agent']}`{_which_deals(result)}",
        unbroken(in_points(Rating(**result["rating"]))),
        in_milliseconds(_time(result)),
        unbroken(in_percent(Estimate(**result["share"]))),
        f"`{worst['spec']}` {unbroken(in_percent(Estimate(**worst['share'])))}",
    ]
    return f"| {' | '.join(cells)} |"


def _which_deals(result: dict[str, Any]) -> str:
    """Return how a result's deals differ from the protocol's: their number, or that they are held out."""
    protocol = protocols()[result["protocol"]]
    made = _made(result["agent"], protocol.game)
    # An agent in a file may search, and so play fewer deals; but its code is not run to find out.
    expected = protocol.search_deals if made is not None and made.searches else protocol.deals
    held_out = "held-out deals" if result.get("held_out") else ""
    number = f"{result['deals']} {held_out or 'deals'}" if result["deals"] != expected else held_out
    return f" ({number})" if number else ""


@styled
def picture(found: dict[str, list[dict[str, Any]]], trained: dict[str, list[Learner]]) -> Figure:
    """Draw ratings over the time per decision, one plot per protocol; if their number is odd, the first is wide."""
    rows, odd = -(-len(found) // 2), len(found) % 2
    figure = Figure(figsize=(10, 4.2 * rows), layout="constrained")
    grid = figure.add_gridspec(rows, 2)
    handles: dict[str, Any] = {}
    points = [_points(name, of_one, trained.get(name, [])) for name, of_one in found.items()]
    for number, name in enumerate(found):
        axes = figure.add_subplot(grid[0, :] if odd and not number else grid[divmod(number + odd, 2)])
        axes.set(
            title=f"{protocols()[name].track}: {_title(protocols()[name])}",
            xscale="log",
            ylabel="rating",
            xlabel="milliseconds a decision",
        )
        for one in points[number]:
            errors, shade = ([one.mean - one.low], [one.high - one.mean]), colour(list(_MARKS).index(one.kind))
            drawn = axes.errorbar(one.milliseconds, one.mean, yerr=errors, fmt=_MARKS[one.kind], color=shade)
            handles[one.kind] = drawn
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda time, _: f"{time:,g}"))
        axes.margins(x=0.16, y=0.08)
    ordered = [kind for kind in _MARKS if kind in handles]
    figure.legend([handles[kind] for kind in ordered], ordered, loc="outside upper center", ncols=len(ordered))
    figure.draw_without_rendering()
    for axes, shown in zip(figure.axes, points, strict=True):
        _label(axes, shown)
    return figure


def _points(name: str, of_one: list[dict[str, Any]], trained: list[Learner]) -> list[Point]:
    """Return the points of a protocol; results on held-out deals are left out, as their agents are there already."""
    game = protocols()[name].game
    agents = [
        Point(one["agent"].partition(":")[0], _kind(one["agent"], game), _time(one), **one["rating"])
        for one in of_one
        if _is_bounded(one) and not one.get("held_out")
    ]
    learned: list[Any] = [(one.title, _LEARNER, one.milliseconds, *one.rating) for one in trained]
    return agents + [Point(*one) for one in learned if None not in one]


def _is_bounded(result: dict[str, Any]) -> bool:
    return None not in result["rating"].values()


def _kind(agent: str, game: str) -> str:
    made = _made(agent, game)
    if made is None:
        return "elsewhere"
    if isinstance(made, PolicyAgent):
        return "trained"
    return "searching" if made.searches or made.compiled_code is None else "scripted"


def _made(agent: str, game: str) -> Agent | None:
    """Return an agent of the package; None for an agent in a file, which may be a stranger's and must not run here."""
    try:
        return make(agent, files="none", game=game)
    except FileNotAllowedError:
        return None


def _label(axes: Axes, shown: list[Point]) -> None:
    """Place the names next to their points with as little overlap as possible."""
    names = [axes.annotate(one.name, (0, 0), xycoords="figure pixels", fontsize=8) for one in shown]
    sizes = [name.get_window_extent() for name in names]
    bodies = []
    for one in shown:
        (x, low), (_, high) = axes.transData.transform([(one.milliseconds, end) for end in (one.low, one.high)])
        bodies.append(Box(x - 6, -high - 3, x + 6, -low + 3))
    edge = axes.get_window_extent()
    within = Box(edge.x0, -edge.y1, edge.x1, -edge.y0)
    boxes = placed(bodies, [size.width for size in sizes], max(size.height for size in sizes), [], within)
    for name, box in zip(names, boxes, strict=True):
        name.set(position=(box.left, -box.bottom + 2))


def _time(result: dict[str, Any]) -> float:
    return float(result["machine"]["milliseconds"])


def ratings(found: dict[str, list[dict[str, Any]]], game: str) -> dict[str, Any]:
    """Return the content of a game's ``ratings.json``: its first protocol's ratings of the agents of the package."""
    protocol = protocol_of(game)
    agents = {}
    for one in found[protocol.name]:
        name, _, options = one["agent"].partition(":")
        if not one.get("held_out") and _kind(one["agent"], game) != "elsewhere" and _is_bounded(one):
            agents[name] = {**one["rating"], **({"options": options} if options else {})}
    for spec in protocol.opponents:
        # A policy and its numbered version, such as legate and legate-2, play the same games.
        for name in [name for name in agents if type(_made(name, game)) is type(_made(spec, game))]:
            agents.setdefault(spec, agents[name])
    return {"protocol": protocol.name, "agents": dict(sorted(agents.items()))}


def _write_ratings(found: dict[str, list[dict[str, Any]]]) -> None:
    for game in games.names():
        path = ratings_file(game)
        written = json.loads(path.read_text(encoding="utf-8"))
        lines = json.dumps({**ratings(found, game), "good_for": written["good_for"]}, indent=1, ensure_ascii=False)
        write_text(path, lines + "\n")


def ratings_file(game: str) -> Path:
    """Return the path of a game's ratings."""
    return ROOT / "agents" / "romans_agents" / game.replace("-", "_") / "ratings.json"


def cards(game: str) -> list[Path]:
    """Return the paths of the cards of a game's trained agents."""
    return sorted(ratings_file(game).parent.glob("trained/*.md"))


def with_head(card: str, game: str) -> str:
    """Return a trained agent's card with the YAML header that shows its rating on the Hugging Face hub."""
    from huggingface_hub import EvalResult, ModelCardData

    body = re.sub(r"\A---\n.*?\n---\n\n", "", card, flags=re.DOTALL)
    name = body.partition("`")[2].partition("`")[0]
    found = json.loads(ratings_file(game).read_text(encoding="utf-8"))
    protocol, rating = protocols()[found["protocol"]], found["agents"][name]
    result = EvalResult(
        task_type="reinforcement-learning",
        dataset_type=protocol.name,
        dataset_name=_title(protocol),
        metric_type="rating",
        metric_name=f"rating of romans benchmark, protocol {protocol.name}, with a 95 % interval",
        metric_value=rating["mean"],
        metric_args={"low": rating["low"], "high": rating["high"]},
    )
    tags = ["reinforcement-learning", "games", "imperfect-information"]
    head = ModelCardData(model_name=name, license="mit", library_name="romans-env", tags=tags, eval_results=[result])
    return f"---\n{head.to_yaml()}\n---\n\n{body}"


if __name__ == "__main__":
    everything, trained = results(), learners()
    _write_ratings(everything)
    for name in games.names():
        for card in cards(name):
            write_text(card, with_head(card.read_text(encoding="utf-8"), name))
    write_generated(PAGE, "benchmarks.leaderboard", tables(everything, trained))
    save_figure(picture(everything, trained), picture_of(PAGE), dpi=110)
