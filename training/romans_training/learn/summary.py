"""The summary of a run: a self-contained page and a picture of the learning curve.

Both are made from the files of the run folder alone, so they can be made for any run and learner at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from string import Template
from typing import Any

from romans_env.core.files import atomic_write, write_text
from romans_env.core.games import spec_of
from romans_env.render.wording import entries
from romans_training.learn.config import TrainConfig
from romans_training.learn.curves import Curves, as_svg, learning_curve, metric_curves
from romans_training.learn.run_folder import RunFolder


def write_summary(folder: RunFolder) -> None:
    """Write ``summary.html`` and ``summary.png`` of a run from the data so far.

    Raises:
        RunFolderError: if the folder holds no run, or the notes of its starts are damaged.
        ConfigError: if the settings are damaged.
    """
    config = folder.load_config()
    curves = Curves.of(folder.load_evaluations(), folder.load_metrics())
    picture = learning_curve(curves, 1 / config.num_players if config.num_players > 1 else None)
    write_text(folder.summary, _page(folder, config, curves, as_svg(picture, "win rate against every fixed opponent")))
    with atomic_write(folder.curve) as temporary:
        picture.savefig(temporary, dpi=120)


def _page(folder: RunFolder, config: TrainConfig, curves: Curves, picture: str) -> str:
    spec = spec_of(config.game)
    # The setup of a game with a single one may have the name of the game.
    title = f"{' '.join(dict.fromkeys((spec.title, str(config.rules.setup))))}: {folder.path.resolve().name}"
    metrics = metric_curves(curves)
    frame = resources.files("romans_training.learn").joinpath("summary.html").read_text(encoding="utf-8")
    return Template(frame).substitute(
        title=escape(title),
        against=escape(", ".join(config.pool) or "no opponents"),
        how_far=_how_far(config, curves),
        picture=picture,
        fair="; the dotted line is a fair share, a ring the first band above it" if config.num_players > 1 else "",
        newest=_evaluations(curves.newest),
        metrics="<p>None yet.</p>"
        if metrics is None
        else f"<figure>{as_svg(metrics, 'metrics over decisions')}</figure>",
        settings=_settings(config),
        starts="\n".join(map(_start, folder.load_starts())),
        evaluations=_evaluations(curves.evaluations),
    )


def _how_far(config: TrainConfig, curves: Curves) -> str:
    # A run ends with a whole rollout, so it may exceed the number in its settings.
    steps, minutes = f"{curves.steps:,}", f"{curves.minutes:.1f}"
    if config.minutes is not None:
        return f"{steps} decisions in {minutes}{_of(curves.minutes, config.minutes)} minutes."
    return f"{steps}{_of(curves.steps, config.steps)} decisions, in {minutes} minutes."


def _of(done: float, whole: float) -> str:
    return f" of {whole:,}" if done < whole else ""


def _evaluations(rows: Sequence[Mapping[str, str]]) -> str:
    if not rows:
        return "<p>None yet.</p>"
    draws = any(float(row["draw_rate"]) for row in rows)
    headings = (
        "decisions",
        "against",
        "games",
        "win rate %",
        *(["draw rate %"] if draws else []),
        "mean points",
        "mean return",
    )
    return _table(
        headings,
        (
            (
                f"{int(row['steps']):,}",
                row["against"],
                f"{int(row['games']):,}",
                "{:.1f} [{:.1f}, {:.1f}]".format(
                    *(100 * float(row[name]) for name in ("win_rate", "win_rate_low", "win_rate_high"))
                ),
                *([f"{100 * float(row['draw_rate']):.1f}"] if draws else []),
                f"{float(row['mean_points']):.1f}",
                f"{float(row['mean_return']):+.2f}",
            )
            for row in rows
        ),
        "numbers",
    )


def _settings(config: TrainConfig) -> str:
    def shown(value: Any) -> str:
        return ", ".join(map(str, value)) if isinstance(value, tuple) else "none" if value is None else str(value)

    pairs = ((escape(name), escape(shown(value))) for name, value in config.as_json().items())
    return "<dl>\n" + "\n".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in pairs) + "\n</dl>"


def _start(start: Mapping[str, Any]) -> str:
    git = start["git"]
    revision = "not known" if git is None else git["commit"]
    if git is not None and git["uncommitted_changes"]:
        revision += ", with uncommitted changes"
    rows = [
        ("command", start["command"]),
        ("git revision", revision),
        ("seeds", entries(start["seeds"])),
        ("Python", start["python"]),
        ("machine", f"{start['platform']}, {start['cpu_count']} CPUs"),
        ("packages", entries(start["packages"])),
    ]
    heading = f"{start['time']}, {'new' if not start['steps'] else 'after {:,} decisions'.format(start['steps'])}"
    return f"<h3>{escape(heading)}</h3>\n{_table((), rows, 'starts')}"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], kind: str) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    lines = [line(headings, "th")] if headings else []
    lines += [line(row, "td") for row in rows]
    return f'<div class="wide"><table class="{kind}">\n' + "\n".join(lines) + "\n</table></div>"
