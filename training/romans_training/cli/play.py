"""``romans play``."""

from __future__ import annotations

import secrets
import shutil
import textwrap
from collections import deque
from pathlib import Path
from typing import Any

import click

import romans_agents
from romans_env import Game, save_record
from romans_env.files import check_writable
from romans_env.games import DEFAULT_GAME, rules_of, spec_of
from romans_env.render.renderer import Renderer
from romans_training.cli.options import (
    SpecsType,
    extra_options,
    game_option,
    is_given,
    one_for_each,
    setup_of,
    table_option,
)

_HELP = """Answer with the number or the name of an action; several, with spaces between, are played in turn.
  w  shows {position} again      q  stops the game"""


@click.command(name="play")
@game_option
@table_option
@extra_options
@click.option(
    "--against",
    type=SpecsType(),
    default=spec_of(DEFAULT_GAME).default_opponent,
    show_default=True,
    help="Opponents from your left on; one alone takes every other seat.",
)
@click.option("--seat", type=click.IntRange(min=0), default=0, show_default=True, help="Your seat.")
@click.option(
    "--seed", type=click.IntRange(min=0), help="Seed of the deal and of the opponents' chance.  [default: a new one]"
)
@click.option("--save", type=click.Path(path_type=Path), help="Write the record of the game to this file.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str,
    size: str | None,
    against: tuple[str, ...],
    seat: int,
    seed: int | None,
    save: Path | None,
    **_setup: Any,
) -> None:
    """Play in the terminal against agents."""
    if save is not None:
        check_writable(save)
    table, game_spec = setup_of(ctx, size), spec_of(game)
    if not is_given(ctx, "against"):
        against = (game_spec.default_opponent,)
    if seat >= table.num_players:
        raise click.BadParameter(f"the table has the seats 0 to {table.num_players - 1}", param_hint="--seat")
    specs = one_for_each(against, table.num_players - 1, "--against")
    seed = secrets.randbits(32) if seed is None else seed
    played = Game(rules_of(table), seed=seed)
    opponents = {
        (seat + 1 + k) % table.num_players: romans_agents.make(spec, game=game) for k, spec in enumerate(specs)
    }
    for other, opponent in opponents.items():
        opponent.seed(seed + other)
    played.agents = {
        player: opponents[i].name if i in opponents else "human" for i, player in enumerate(played.players)
    }
    renderer = game_spec.part("renderer")
    session = _Session(played, seat, opponents, renderer)
    usage = _HELP.format(position=renderer.position_name)
    click.echo(f"You are {played.players[seat]}. The table is {table}, seed {seed}.\n{usage}\n")
    finished = session.run()
    if save is not None:
        save_record(played.record(), save)
        click.echo(f"record written to {save}")
    if not finished:
        click.echo("stopped")


class _Session:
    """A game between a person and agents."""

    def __init__(self, game: Game, seat: int, opponents: dict[int, romans_agents.Agent], renderer: Renderer):
        self._game, self._seat, self._opponents, self._renderer = game, seat, opponents, renderer
        self._player = game.players[seat]
        self._lines_shown = 0
        self._waiting: deque[str] = deque()

    def run(self) -> bool:
        """Play to the end; False when the person stops."""
        game = self._game
        while not game.is_over:
            seat = game.seat_to_act
            assert seat is not None
            if seat != self._seat:
                game.act(self._opponents[seat].act(game.view(seat)))
                continue
            action = self._ask()
            if action is None:
                return False
            game.act(action)
        self._show_events()
        self._show()
        return True

    def _ask(self) -> int | None:
        """The person's action; None to stop."""
        legal = self._game.legal_actions()
        if not self._waiting:
            self._show_events()
            self._show()
        while True:
            if not self._waiting:
                menu = "  ".join(f"{k}:{self._game.action_name(action)}" for k, action in enumerate(legal, 1))
                click.echo(textwrap.fill(menu, shutil.get_terminal_size().columns, break_on_hyphens=False))
                try:
                    self._waiting.extend(click.prompt("your choice", prompt_suffix="> ").split())
                except (click.Abort, EOFError):
                    click.echo()
                    return None
                continue
            answer = self._waiting.popleft()
            if answer == "q":
                return None
            if answer == "w":
                self._show()
                continue
            action = self._understood(answer, legal)
            if action is not None:
                return action
            self._waiting.clear()
            click.echo(f"{answer!r} is none of these; answer with a number or a name, w or q")

    def _understood(self, answer: str, legal: list[int]) -> int | None:
        if answer.isdecimal():
            number = int(answer)
            return legal[number - 1] if 1 <= number <= len(legal) else None
        names = {self._game.action_name(action): action for action in legal}
        for name, action in names.items():
            if answer in (name, name.partition(":")[2]):
                return action
        return None

    def _show_events(self) -> None:
        lines = self._renderer.story(self._game, self._player)
        for line in lines[self._lines_shown :]:
            click.echo(line)
        self._lines_shown = len(lines)

    def _show(self) -> None:
        click.echo()
        for line in self._renderer.position_lines(self._game, self._player):
            click.echo(line)
