"""The games of the page "Play", each as a script with its rules, drawings and texts."""

from __future__ import annotations

import base64
import gzip
import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from translating.program import Constant, Program

from romans_env.core.games import spec_of
from romans_env.core.protocol import Rules
from romans_env.render.renderer import renderer_of
from romans_env.render.struggle import board_drawing
from romans_env.render.text_interface import text_interface_of
from romans_env.struggle.board import load_board
from romans_env.struggle.geography import geography_of

PLAY = Path(__file__).resolve().parent / "play"
_GIVEN = {
    "romans_env.core.compiled_rules:CompiledRules": "host.Rules",
    "romans_env.core.game:Game": "host.Game",
    "romans_env.core.event:EventError": "$.ValueError",
    "romans_env.core.event:Event.of": "",
    "romans_env.errors:shortened": "$.text",
    "romans_env.errors:looks_of": "$.text",
    "romans_env.render.renderer:renderer_of": "() => renderer",
    "romans_env.render.text_interface:text_interface_of": "() => text_interface",
}
"""Names that the page provides instead of translated code, from `play/compiled_rules.js` and the runtime."""
_CALLED = ("position", "events", "opening_events")


@dataclass(frozen=True)
class PlayedGame:
    """A game that the page offers.

    Attributes:
        name: name of the game.
        settings: settings of each setup that is offered.
        scripted: scripted agents that are offered, weakest first.
        network: whether the network `tiro` is also offered.
        given: names of this game that are not translated, in addition to those of every game; see `Program`.
    """

    name: str
    settings: tuple[Mapping[str, Any], ...]
    scripted: tuple[str, ...]
    network: bool = False
    given: Mapping[str, str | Constant] = field(default_factory=dict)

    @cached_property
    def setups(self) -> dict[str, Rules]:
        """The rules for every setup, by the setup in words."""
        made = [spec_of(self.name).part("rules").from_settings(**settings) for settings in self.settings]
        return {text_interface_of(self.name).setup_in_words(rules.setup) or str(rules.setup): rules for rules in made}


_FOLLOWED = "romans_env.romans_go_home.playback"
_BITS = "romans_env.romans_go_home.actions"
ROMANS_GO_HOME = PlayedGame(
    "romans-go-home",
    ({"num_players": 2}, {"num_players": 2, "num_neutrals": 1}, {"num_players": 3}),
    ("skirmisher", "hoarder", "legionary", "greedy"),
    True,
    {
        f"{_FOLLOWED}:KERNELS": "host.kernels",
        f"{_FOLLOWED}:next_phase": "host.next_phase",
        f"{_BITS}:holds_several": "host.holds_several",
        f"{_BITS}:lowest": "host.lowest",
        "romans_env.romans_go_home.rules:RomansGoHome.players": "",
        "romans_env.romans_go_home.rules:RomansGoHome.seats": "",
        "romans_env.romans_go_home.rules:RomansGoHome.legal_actions": "",
        "romans_env.romans_go_home.rules:RomansGoHome.seat_to_act": "",
        "romans_env.romans_go_home.setup:Table.__init__": "",
    },
)
ROMA = PlayedGame("roma", ({},), ("denier", "forum-runner", "raider"))


class Fares(NamedTuple):
    """The parts of a `romans_env.struggle.geography.Geography` that texts of choices need."""

    regions: Any
    fares: Any


def _struggle() -> PlayedGame:
    board = load_board()
    geography = geography_of(board)
    drawn = "romans_env.render.struggle.board_drawing"
    given: dict[str, str | Constant] = {
        "romans_env.struggle.board:load_board": Constant(board),
        "romans_env.struggle.board:_stand_in": Constant(board),
        "romans_env.struggle.geography:geography_of": Constant(Fares(geography.regions, geography.fares)),
        # The static parts of the board are drawn here, and the board file is needed only in its parsed form.
        f"{drawn}:board_drawing": Constant(board_drawing.board_drawing(board)),
        f"{drawn}:city_names": Constant(board_drawing.city_names(board)),
        "romans_env.struggle.board:Board._data": "null",
        "romans_env.struggle.board:Board.as_json": "",
        "romans_env.struggle.setup:StruggleSetup.as_json": "",
        "romans_env.struggle.dice:due_in": "host.due_in",
        "romans_env.struggle.rules:StruggleForRome.__init__": "",
        "romans_env.struggle.setup:StruggleSetup.__init__": "",
    }
    rivals = ("kingdom-builder", "trader", "plunderer", "chieftain")
    return PlayedGame("struggle", ({"num_players": 4}, {"num_players": 3}), rivals, given=given)


STRUGGLE = _struggle()
GAMES = (ROMANS_GO_HOME, ROMA, STRUGGLE)


def script_of(game: PlayedGame) -> str:
    """Return the script of a game: its WebAssembly module, facts about the game, and its translated program."""
    about = {
        "setups": {name: _described(rules) for name, rules in game.setups.items()},
        "scripted": _codes(game),
        "data": base64.b64encode(gzip.compress((PLAY / f"{game.name}.wasm").read_bytes(), 9, mtime=0)).decode(),
    }
    text = json.dumps(about, separators=(",", ":"))
    return (
        f'(globalThis.RomansPlay ??= {{}})["{game.name}"] = {{ about: {text},\n'
        f"program: ($, host) => {{\n{program_of(game)}}} }};\n"
    )


def program_of(game: PlayedGame) -> str:
    """Return the translated drawings and texts of a game, as the body of a function of ``$`` and ``host``."""
    program = Program({**_GIVEN, **game.given}, _CALLED)
    renderer, interface = renderer_of(game.name), text_interface_of(game.name)

    def added(function: Any) -> str:
        if function is None or "<" in function.__qualname__:
            return "null"
        return program.add(f"{function.__module__}:{function.__qualname__}")

    shown = {
        "in_words": added(interface.sentences),
        "frame_as_json": program.add("romans_serve.games.views:frame_as_json"),
        "players_as_json": program.add("romans_serve.games.views:players_as_json"),
    }
    if game is ROMANS_GO_HOME:
        shown["deal_of_record"] = program.add("romans_env.romans_go_home.chance:deal_as_json")
    drawn = {"sheets": added(renderer.sheets), "moments": added(renderer.moments)}
    asked = {name: added(getattr(interface, name)) for name in ("question", "choice", "ending", "points_table")}
    kind_of_rules = spec_of(game.name).part("rules")
    kind = program.add(f"{kind_of_rules.__module__}:{kind_of_rules.__qualname__}")
    setups = {name: _settled(program, rules) for name, rules in game.setups.items()}
    return (
        f"{program.text()}"
        f"const renderer = {_object(drawn)}, text_interface = host.interface_of({_object(asked)});\n"
        f"const setups = {_object(setups)};\n"
        f"return {{ rules_of: (name) => Object.assign(new {kind}(), setups[name]()), renderer, {_inner(shown)} }};\n"
    )


def _settled(program: Program, rules: Rules) -> str:
    """Return the attributes of a rules instance, as a JavaScript function without arguments."""
    held = {
        "name": json.dumps(rules.name),
        "setup": program.literal(rules.setup),
        "players": program.literal(rules.players),
        "seats": program.literal(rules.seats),
        "num_players": str(rules.num_players),
        "action_names": program.literal(rules.action_names),
        **({"board": program.literal(rules.board)} if hasattr(rules, "board") else {}),
        "outcomes": program.literal(getattr(rules, "outcomes", ())),
    }
    return f"() => ({_object(held)})"


def _described(rules: Rules) -> dict[str, Any]:
    """Return the data about a game with a setup that the page needs in addition to its program."""
    states = rules.new_states(1)
    fields = states.dtype.fields or {}
    spec = spec_of(rules.name)
    return {
        "name": rules.name,
        "title": spec.title,
        "setup_in_words": text_interface_of(rules.name).setup_in_words(rules.setup),
        "setup": rules.setup.as_json(),
        "format": spec.record_format,
        "size": states.dtype.itemsize,
        "layout": {
            name: [offset, kind.base.str.lstrip("|<>"), list(kind.shape)] for name, (kind, offset, *_) in fields.items()
        },
        "record": base64.b64encode(states.tobytes()).decode(),
        "observation": rules.observation_size * np.dtype(rules.observation_low.dtype).itemsize,
        "action_names": list(rules.action_names),
    }


def _codes(game: PlayedGame) -> dict[str, int]:
    agents = importlib.import_module(f"romans_agents.{game.name.replace('-', '_')}.agents").AGENTS
    return {name: agents[name].code for name in game.scripted}


def _object(entries: Mapping[str, str]) -> str:
    return f"{{ {_inner(entries)} }}"


def _inner(entries: Mapping[str, str]) -> str:
    return ", ".join(f"{json.dumps(name)}: {value}" for name, value in entries.items())
