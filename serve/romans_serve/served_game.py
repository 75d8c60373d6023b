"""A game as it is served: rebuilt from its entries, with what every viewer has been shown of it.

A viewer is a player or `SPECTATOR`. Its view goes on when its own seat has acted, when something has happened that it
may know in words, or when another seat decides. So it does not see how often another seat is asked in secret, which in
some games reveals cards (RULES 4.14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from romans_env.core.game import Game
from romans_env.core.protocol import Rules, States
from romans_env.core.undo import why_final
from romans_env.errors import in_one_line, shortened
from romans_env.render.renderer import renderer_of
from romans_env.render.terminal import Terminal, terminal_of
from romans_serve.spectator import SPECTATOR
from romans_serve.store import KINDS, Entry, Seat, StoreError

NOTHING_TO_UNDO = "there is no choice of yours that can be taken back: somebody else, or chance, has decided since"


@dataclass(frozen=True)
class Look:
    """A moment as one viewer may see it.

    Attributes:
        states: the record, shape (1,), in full: `romans_serve.views` shows the viewer's part of it.
        lines: what has happened since the look before, with the game's names of seats.
        is_between: whether it lies between two decisions.
    """

    states: States
    lines: tuple[str, ...]
    is_between: bool = False


@dataclass
class Sight:
    """What a viewer has been shown.

    Attributes:
        states: the record of the latest look, in full.
        lines: all lines so far.
        serial: number of the latest look.
        is_between: whether that lies between two decisions.
    """

    states: States
    lines: list[str] = field(default_factory=list)
    serial: int = 0
    is_between: bool = False


@dataclass(frozen=True)
class Step:
    """An action that is yet to be played: what it makes of a game, which is as it was.

    Attributes:
        before: the game as it stands.
        game: the game after it, a copy.
        seat: who plays it.
        action: its id.
        entries: those that it makes.
        looks: by viewer, what it is shown.
    """

    before: Game
    game: Game
    seat: int
    action: int
    entries: tuple[Entry, ...]
    looks: Mapping[str, Sequence[Look]]


@dataclass(frozen=True)
class _Mark:
    """The game before a choice that may be taken back."""

    game: Game
    action: int
    sights: Mapping[str, tuple[States, int, bool]]


class ServedGame:
    """A game.

    Args:
        rules: the game with its setup.
        seats: who plays.
        entries: as the database has them; none for a game that begins.

    Attributes:
        game: as it stands; after an undo another object.
        entries: how many there are.
        sights: by viewer.
        moves: by seat, how many actions it has played or taken back: the number of its next decision.
        undone: how many actions were taken back.
        hints: those given: how many actions there were, the seat, and the hint.
        notes: remarks: how many actions there were, the seat, and the text.

    Raises:
        StoreError: entries that do not fit the rules.
    """

    def __init__(self, rules: Rules, seats: Sequence[Seat], entries: Sequence[Entry] = ()):
        self.rules, self.seats = rules, tuple(seats)
        self._terminal: Terminal = terminal_of(rules.name)
        self._renderer = renderer_of(rules.name)
        self.entries = 0
        self.undone = 0
        self.moves = [0] * rules.num_players
        self.hints: list[tuple[int, int, dict[str, Any]]] = []
        self.notes: list[tuple[int, int, str]] = []
        self._marks: list[_Mark] = []
        try:
            chance = [entry.value for entry in entries if entry.kind in ("deal", "chance")]
            self.game = Game(rules, deal=rules.deal_of(chance)) if entries else Game(rules)
            self._open()
            for entry in entries:
                self._play_again(entry)
            if entries and len(chance) != (needed := len(self.game.outcomes)):
                raise ValueError(f"{len(chance)} outcomes of chance, where the actions need {needed}")
            self.entries = len(entries)
        except (ValueError, TypeError, LookupError, ArithmeticError, RuntimeError, AssertionError) as error:
            raise StoreError(f"the game's entries do not fit the rules: {in_one_line(error)}") from None

    @property
    def viewers(self) -> tuple[str, ...]:
        """The players, and `SPECTATOR`."""
        return (*self.rules.players, SPECTATOR)

    def first_entries(self) -> list[Entry]:
        """Return the entries of a game that has just begun, and count them as its entries from here on."""
        found = [Entry("chance", None, outcome) for outcome in self.game.outcomes]
        self.entries = len(found)
        return found

    # -- playing

    def step(self, action: int) -> Step:
        """Return the step of an action of the seat that must decide; `play` plays it.

        Raises:
            IllegalActionError: the action is not legal.
        """
        seat, played = self.game.seat_to_act, len(self.game.history)
        game = self.game.clone()
        game.act(action)
        assert seat is not None
        outcomes = [outcome for _, outcome in game.history[played + 1 :]]
        entries = [Entry("action", seat, game.action_name(action))]
        entries += [Entry("chance", None, outcome) for outcome in outcomes]
        return Step(self.game, game, seat, action, tuple(entries), self._looks(game, seat, action, outcomes))

    def play(self, step: Step) -> None:
        """Play the step of an action, which `step` returned; nothing else may have been played since."""
        assert step.before is self.game
        sights = {viewer: (sight.states, len(sight.lines), sight.is_between) for viewer, sight in self.sights.items()}
        self.game = step.game
        self.moves[step.seat] += 1
        self.entries += len(step.entries)
        if len(step.entries) > 1 or self.game.seat_to_act != step.seat:
            self._marks = []
        else:
            self._marks.append(_Mark(step.before, step.action, sights))
        for viewer, looks in step.looks.items():
            sight = self.sights[viewer]
            for look in looks:
                sight.states, sight.is_between = look.states, look.is_between
                sight.lines += look.lines
            sight.serial += len(looks)

    def act(self, action: int) -> Step:
        """Play an action of the seat that must decide.

        Raises:
            IllegalActionError: nothing is changed.
        """
        step = self.step(action)
        self.play(step)
        return step

    def why_not_undo(self, seat: int) -> str | None:
        """Return why a seat cannot take its latest choice back; None if `undo` does it."""
        if not self.may_undo(seat):
            return NOTHING_TO_UNDO
        mark = self._marks[-1]
        why = why_final(mark.game, mark.action, self.game)
        if why is None:
            return None
        self._marks = []
        return f"the choice cannot be taken back: {why}"

    def undo(self, seat: int) -> list[str]:
        """Take the latest choice of a seat back; return the viewers who see something of it.

        Raises:
            ValueError: there is none, or it has shown something new; nothing is changed.
        """
        why = self.why_not_undo(seat)
        if why is not None:
            raise ValueError(why)
        return self.take_back(seat)

    def take_back(self, seat: int) -> list[str]:
        """Take the latest choice back like `undo`, after `why_not_undo` returned None."""
        changed, mark = self.seen_of_undo(), self._marks.pop()
        self.game = mark.game
        self.moves[seat] += 1
        self.entries += 1
        self.undone += 1
        for viewer in changed:
            sight, (states, num_lines, is_between) = self.sights[viewer], mark.sights[viewer]
            sight.states, sight.is_between = states, is_between
            del sight.lines[num_lines:]
            sight.serial += 1
        return changed

    def seen_of_undo(self) -> list[str]:
        """Return the viewers who see something of it when the latest choice is taken back: those who were shown it."""
        sights = self._marks[-1].sights
        return [viewer for viewer, sight in self.sights.items() if sight.states is not sights[viewer][0]]

    def may_undo(self, seat: int) -> bool:
        """Return whether the latest action is the seat's own, and nobody else, nor chance, has decided since."""
        return bool(self._marks) and self.game.seat_to_act == seat

    def add(self, entry: Entry) -> None:
        """Keep a hint that was given, or a remark."""
        assert entry.seat is not None
        kept: list[Any] = self.hints if entry.kind == "hint" else self.notes
        kept.append((len(self.game.actions), entry.seat, entry.value))
        self.entries += 1

    def record(self) -> dict[str, Any]:
        """Return the record, with the hints that were given, and the remarks, under keys of their own."""
        players = self.rules.players
        agents = {player: seat.agent or "human" for player, seat in zip(players, self.seats, strict=True)}
        return {
            **self.game.record(),
            "agents": agents,
            "hints": [{"action": at, "player": players[seat], **hint} for at, seat, hint in self.hints],
            "notes": [{"action": at, "player": players[seat], "text": text} for at, seat, text in self.notes],
        }

    # -- what viewers see

    def _open(self) -> None:
        events = next(self.game.events_by_action()) if self._terminal.words is not None else []
        self.sights = {viewer: Sight(self.game.states.copy()) for viewer in self.viewers}
        for viewer, sight in self.sights.items():
            sight.lines = self._words(self.game, events, viewer)

    def _words(self, game: Game, events: Sequence[Any], viewer: str) -> list[str]:
        """Return the lines of events, or those that the game's story adds if it has no words for single events."""
        if self._terminal.words is not None:
            return list(self._terminal.words(game, events, viewer))
        return self._terminal.story(game, viewer)[len(self.sights[viewer].lines) :]

    def _looks(self, game: Game, seat: int, action: int, outcomes: Sequence[Any]) -> dict[str, list[Look]]:
        """Return what every viewer is shown of an action, after which the game is ``game``."""
        now, has_words = game.states.copy(), self._terminal.words is not None
        moments: list[tuple[States, Sequence[Any]]] = [(now, ())]
        if has_words:
            moments = list(self._renderer.looks(self.rules, self.game.states, action, outcomes, now))
        decides = game.seat_to_act
        shown: dict[str, list[Look]] = {}
        for viewer in self.viewers:
            shown[viewer] = []
            for number, (states, events) in enumerate(moments, 1):
                is_last = number == len(moments)
                lines = self._words(game, events, viewer) if is_last or has_words else []
                is_own = viewer == self.rules.players[seat]
                if lines or (is_last and (is_own or decides != seat)):
                    shown[viewer].append(Look(states, tuple(lines), not is_last))
        return shown

    # -- rebuilding

    def _play_again(self, entry: Entry) -> None:
        if entry.kind == "action":
            if entry.seat != self.game.seat_to_act:
                raise ValueError(f"{entry.value} is of another seat than the one to act")
            self.act(self.game.action_id(entry.value))
        elif entry.kind == "undo":
            if entry.seat is None or not self.may_undo(entry.seat):
                raise ValueError("an action is taken back that cannot be")
            self.take_back(entry.seat)
        elif entry.kind in ("hint", "note"):
            kind = dict if entry.kind == "hint" else str
            if entry.seat not in range(self.rules.num_players) or not isinstance(entry.value, kind):
                raise ValueError(f"a {entry.kind} is none")
            self.add(entry)
        elif entry.kind not in KINDS:
            raise ValueError(f"{shortened(entry.kind)} is no kind of entry")
