"""A game as it is served: rebuilt from its entries, with what every viewer has been shown of it.

A viewer is a player or `SPECTATOR`. Its view goes on when its own seat has acted, when something has happened that it
may know in words, or when another seat decides. So it does not see how often another seat is asked in secret, which in
some games reveals cards (RULES 4.14).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from romans_env.errors import in_one_line
from romans_env.game import Game
from romans_env.games import spec_of
from romans_env.protocol import Rules, States
from romans_env.render.terminal import Terminal, terminal_of
from romans_env.serve.spectator import SPECTATOR
from romans_env.serve.store import Entry, Seat
from romans_env.undo import why_final

NOTHING_TO_UNDO = "there is no choice of yours that can be taken back: somebody else, or chance, has decided since"


class DamagedGameError(ValueError):
    """Entries that do not fit the rules."""


@dataclass(frozen=True)
class Look:
    """A moment as one viewer may see it.

    Attributes:
        states: the record, shape (1,), in full: `romans_env.serve.pictures` shows the viewer's part of it.
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
        hints: those given: how many actions there were, the seat, and the hint.
        notes: remarks: how many actions there were, the seat, and the text.

    Raises:
        DamagedGameError: entries that do not fit the rules.
    """

    def __init__(self, rules: Rules, seats: Sequence[Seat], entries: Sequence[Entry] = ()):
        self.rules, self.seats = rules, tuple(seats)
        self._terminal: Terminal = terminal_of(rules.name)
        self._moments = spec_of(rules.name).part("renderer").moments
        self.entries = len(entries)
        self.moves = [0] * rules.num_players
        self.hints: list[tuple[int, int, dict[str, Any]]] = []
        self.notes: list[tuple[int, int, str]] = []
        self._marks: list[_Mark] = []
        try:
            self.game = _started(rules, entries)
            self._open()
            for entry in entries:
                self._play_again(entry)
            if entries and rules.chance_in_play:
                _check_chance(self.game, sum(entry.kind == "chance" for entry in entries))
        except (ValueError, TypeError, RuntimeError, AssertionError) as error:
            raise DamagedGameError(f"the game's entries do not fit the rules: {in_one_line(error)}") from None

    @property
    def viewers(self) -> tuple[str, ...]:
        """The players, and `SPECTATOR`."""
        return (*self.rules.players, SPECTATOR)

    def first_entries(self) -> list[Entry]:
        """The entries of a game that has just begun; they are those that it counts from here on."""
        if self.rules.chance_in_play:
            found = [Entry("chance", None, outcome) for _, outcome in self.game.history]
        else:
            found = [Entry("deal", None, self.game.deal())]
        self.entries = len(found)
        return found

    # -- playing

    def act(self, action: int) -> tuple[list[Entry], dict[str, list[Look]]]:
        """Play an action of the seat that must decide.

        Returns:
            The entries that it makes; and, by viewer, what it is shown.

        Raises:
            IllegalActionError: nothing is changed.
        """
        seat = self.game.seat_to_act
        played = len(self.game.history)
        before = self.game.clone()
        sights = {viewer: (sight.states, len(sight.lines), sight.is_between) for viewer, sight in self.sights.items()}
        self.game.act(action)
        assert seat is not None
        self.moves[seat] += 1
        outcomes = [outcome for _, outcome in self.game.history[played + 1 :]]
        if outcomes or self.game.seat_to_act != seat:
            self._marks = []
        else:
            self._marks.append(_Mark(before, action, sights))
        entries = [Entry("action", seat, self.game.action_name(action))]
        entries += [Entry("chance", None, outcome) for outcome in outcomes]
        self.entries += len(entries)
        return entries, self._go_on(before, action, outcomes, seat)

    def undo(self, seat: int) -> tuple[Entry, list[str]]:
        """Take the latest choice of a seat back.

        Returns:
            The entry that it makes, and the viewers who see something of it.

        Raises:
            ValueError: there is none, or it has shown something new; nothing is changed.
        """
        if not self.may_undo(seat):
            raise ValueError(NOTHING_TO_UNDO)
        mark = self._marks[-1]
        why = why_final(mark.game, mark.action, self.game)
        if why is not None:
            self._marks = []
            raise ValueError(f"the choice cannot be taken back: {why}")
        changed = self._take_back(seat)
        self.entries += 1
        return Entry("undo", seat, None), changed

    def may_undo(self, seat: int) -> bool:
        """Whether the latest action is the seat's own, and nobody else, nor chance, has decided since."""
        return bool(self._marks) and self.game.seat_to_act == seat

    def note_hint(self, seat: int, hint: dict[str, Any]) -> Entry:
        """Note that a seat was given a hint."""
        self.hints.append((len(self.game.actions), seat, hint))
        self.entries += 1
        return Entry("hint", seat, hint)

    def note(self, seat: int, text: str) -> Entry:
        """Note a remark on what a seat does."""
        self.notes.append((len(self.game.actions), seat, text))
        self.entries += 1
        return Entry("note", seat, text)

    def record(self) -> dict[str, Any]:
        """The record, with the hints that were given, and the remarks, under keys of their own."""
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
            sight.lines = self._words(events, viewer)

    def _words(self, events: Sequence[Any], viewer: str) -> list[str]:
        """The lines of events; where the game has no words for some of them alone, those that its story adds."""
        if self._terminal.words is not None:
            return list(self._terminal.words(self.game, events, viewer))
        return self._terminal.story(self.game, viewer)[len(self.sights[viewer].lines) :]

    def _go_on(self, before: Game, action: int, outcomes: Sequence[Any], seat: int) -> dict[str, list[Look]]:
        """Show every viewer what an action has changed."""
        moments = list(self._moments_of(before, action, outcomes))
        decides = self.game.seat_to_act
        shown: dict[str, list[Look]] = {}
        for viewer, sight in self.sights.items():
            looks = []
            for number, (states, events) in enumerate(moments, 1):
                is_last = number == len(moments)
                lines = self._words(events, viewer) if is_last or self._terminal.words is not None else []
                is_own = viewer == self.rules.players[seat]
                if lines or (is_last and (is_own or decides != seat)):
                    looks.append(Look(states, tuple(lines), not is_last))
                    sight.lines += lines
            if looks:
                sight.states, sight.is_between = looks[-1].states, looks[-1].is_between
                sight.serial += len(looks)
            shown[viewer] = looks
        return shown

    def _moments_of(self, before: Game, action: int, outcomes: Sequence[Any]) -> Iterator[tuple[States, Sequence[Any]]]:
        now = self.game.states.copy()
        if self._terminal.words is None:
            yield now, ()
        elif self._moments is None:
            yield now, self.rules.events(before.states, 0, action, outcomes)
        else:
            *between, (_, events) = self._moments(self.rules, before.states, action, outcomes)
            yield from between
            yield now, events

    # -- rebuilding

    def _play_again(self, entry: Entry) -> None:
        if entry.kind == "action":
            if entry.seat != self.game.seat_to_act:
                raise ValueError(f"{entry.value} is of another seat than the one to act")
            entries = self.entries
            self.act(self.game.action_id(entry.value))
            self.entries = entries
        elif entry.kind == "undo":
            if entry.seat is None or not self.may_undo(entry.seat):
                raise ValueError("an action is taken back that cannot be")
            self._take_back(entry.seat)
        elif entry.kind == "hint" and entry.seat is not None:
            self.hints.append((len(self.game.actions), entry.seat, entry.value))
        elif entry.kind == "note" and entry.seat is not None:
            self.notes.append((len(self.game.actions), entry.seat, entry.value))

    def _take_back(self, seat: int) -> list[str]:
        mark = self._marks.pop()
        self.game = mark.game
        self.moves[seat] += 1
        changed = []
        for viewer, (states, num_lines, is_between) in mark.sights.items():
            sight = self.sights[viewer]
            # Who was not shown a choice is not shown that it is taken back.
            if sight.states is not states:
                sight.states, sight.is_between = states, is_between
                del sight.lines[num_lines:]
                sight.serial += 1
                changed.append(viewer)
        return changed


def _check_chance(game: Game, number: int) -> None:
    needed = len(game.deal()["outcomes"])
    if needed != number:
        raise ValueError(f"{number} outcomes of chance, where the actions need {needed}")


def _started(rules: Rules, entries: Sequence[Entry]) -> Game:
    """The game at its start, with the chance of its entries."""
    if not entries:
        return Game(rules)
    deals = [entry.value for entry in entries if entry.kind == "deal"]
    outcomes = [entry.value for entry in entries if entry.kind == "chance"]
    if rules.chance_in_play and outcomes and not deals:
        return Game(rules, deal={"outcomes": outcomes})
    if not rules.chance_in_play and len(deals) == 1 and deals[0] is not None and not outcomes:
        return Game(rules, deal=deals[0])
    raise ValueError(f"{len(deals)} deals and {len(outcomes)} outcomes of chance are not those of a game")
