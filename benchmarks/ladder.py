"""The ladder of all agents: ``python -m benchmarks.ladder`` plays its tournaments and writes docs/ladder.md.

It takes about two hours of an idle core. It may be stopped, and goes on; what lies in its folder is not played again.
"""

from __future__ import annotations

import contextlib
import io
import shlex
from dataclasses import dataclass
from pathlib import Path

import click

from romans_env import Table
from romans_env.files import write_text
from romans_training.tournament import TournamentResult, tournament
from romans_training.tournament.picture import save_picture
from romans_training.tournament.report import print_result

DOCS = Path(__file__).resolve().parents[1] / "docs"
SCRIPTED = ("random", "skirmisher", "hoarder", "legionary", "greedy", "mixer", "schemer")
SEARCHING = ("flat-mc:iterations=200", "ismcts:iterations=200")


@dataclass(frozen=True)
class Rung:
    """A tournament of the ladder.

    Attributes:
        name: of its folder.
        size: players and neutrals.
        agents: who takes part.
        deals: for each line-up.
        search_deals: for each line-up with an agent that searches.
        line_ups: a sample of them; None for all.
    """

    name: str
    size: tuple[int, int]
    agents: tuple[str, ...]
    deals: int = 2000
    search_deals: int = 60
    line_ups: int | None = None

    def command(self) -> str:
        """The command that plays it."""
        options = ["--table", "{}+{}".format(*self.size), "--deals", str(self.deals)]
        options += ["--search-deals", str(self.search_deals)] if set(self.agents) & set(SEARCHING) else []
        options += ["--line-ups", str(self.line_ups)] if self.line_ups else []
        return shlex.join(["romans", "tournament", *self.agents, *options])

    def play(self, folder: Path, jobs: int) -> TournamentResult:
        """Play it, or what is missing of it."""
        return tournament(
            self.agents,
            Table(*self.size),
            self.deals,
            folder / self.name,
            jobs,
            search_deals=self.search_deals,
            line_ups=self.line_ups,
        )


RUNGS = (
    Rung("2+0", (2, 0), SCRIPTED + SEARCHING),
    Rung("2+1", (2, 1), SCRIPTED + SEARCHING),
    Rung("3+0", (3, 0), SCRIPTED, line_ups=5),
    Rung("4+0", (4, 0), SCRIPTED, line_ups=3),
    Rung("3+0-search", (3, 0), ("greedy", "mixer", "schemer", *SEARCHING), deals=20, search_deals=20),
    Rung("4+0-search", (4, 0), ("greedy", "mixer", "schemer", *SEARCHING), deals=8, search_deals=8),
)

HEAD = """# The ladder

Made by `python -m benchmarks.ladder`, which plays the tournaments below; it may be stopped, and goes on. Every deal is
played with every seating; intervals are 95 % and take the games of a deal as one cluster; ratings are a Plackett-Luce
fit of who won, on Elo's scale. The searches have a small fixed budget (two hundred iterations, a few milliseconds a
decision) and play fewer deals. With three and four players the scripted agents play a balanced sample of line-ups, and
the searches meet the strongest three.

Time per move was taken while other programs ran on the machine.
"""


@click.command()
@click.option(
    "--folder", type=click.Path(path_type=Path), default=Path("runs/ladder"), show_default=True, help="Of the results."
)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
def main(folder: Path, jobs: int) -> None:
    """Play what is missing, and write the page and its pictures."""
    sections = [HEAD]
    for rung in RUNGS:
        click.echo(rung.command())
        result = rung.play(folder, jobs)
        report = _report(result)
        click.echo(report)
        picture = f"ladder-{rung.name}.png"
        save_picture(result, DOCS / picture)
        sections.append(f"## {rung.name}\n\n```\n{rung.command()}\n```\n\n{report}\n![{rung.name}]({picture})\n")
    write_text(DOCS / "ladder.md", "\n".join(sections))


def _report(result: TournamentResult) -> str:
    """What the command prints, as Markdown."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        print_result(result)
    lines = [line.rstrip() for line in printed.getvalue().splitlines()]
    return "\n".join(lines).replace("\nRatings are", " Ratings are") + "\n"


if __name__ == "__main__":
    main()
