"""A served game, which is rebuilt from its entries, and the frames that every viewer has been shown.

A viewer is a player or `SPECTATOR`. The view of a viewer advances when the viewer's own seat has acted, when something
has happened that the viewer may be told in words, or when the turn passes to another seat. Therefore the view never
shows how often another seat is asked in secret, which in some games would reveal cards (RULES 4.14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from romans_env.core.game import Game
from romans_env.core.protocol import Rules, States
from romans_env.core.undo import why_final
from romans_env.errors import in_one_line, shortened
from romans_env.render.renderer import renderer_of
from romans_env.render.text_interface import TextInterface, text_interface_of
from romans_serve.games.plan_ahead import Ahead, ahead_of
from romans_serve.games.puzzle import Puzzle
from romans_serve.games.spectator import SPECTATOR
from romans_serve.games.store import GameEntry, GameStoreError, Seat

NOTHING_TO_UNDO = "none of your choices can be taken back: another player, or chance, has decided since"


@dataclass(frozen=True)
class ServedFrame:
    """A step of a game as it is shown to one viewer.

    Attributes:
        states: the full state, as an array of state records, shape ``(1,)``; `romans_serve.games.views` shows only the
            viewer's part of it.
        lines: log lines from line number ``start`` on, with the game's own names of the seats.
        start: number of log lines that the viewer was shown in earlier frames.
        serial: serial number of the frame.
        is_between: whether the frame lies between two decisions.
    """

    states: States
    lines: tuple[str, ...]
    start: int = 0
    serial: int = 0
    is_between: bool = False


@dataclass(frozen=True)
class PendingAction:
    """An action that has not been played yet, with the effects that it will have.

    Attributes:
        before: the current game, unchanged.
        game: a copy of the game after the action.
        seat: the seat that plays the action.
        action: id of the action.
        entries: the entries that the action adds to the game.
        frames: the new frames of each viewer.
        frames_before: the latest frame of each viewer before the action, in the form of `ServedGame.frames`.
    """

    before: Game
    game: Game
    seat: int
    action: int
    entries: tuple[GameEntry, ...]
    frames: Mapping[str, Sequence[ServedFrame]]
    frames_before: Mapping[str, ServedFrame]


class ServedGame:
    """A game that people or agents play on the server, with its history and what each viewer was sent.

    Args:
        rules: the rules, with the setup.
        seats: the players.
        entries: the entries of the game in the database; empty for a new game.

    Attributes:
        game: the current game; an undo replaces this object by another.
        entries: number of entries of the game.
        frames: the latest frame of each viewer, with all log lines so far.
        moves: for each seat, the number of its next decision. This is the number of actions that the seat has played,
            chosen ahead or taken back.
        held: for each seat, the names of the actions that it holds: it has chosen them ahead of its turn, and other
            seats must not know them.
        undone: number of actions that were taken back.
        hints: for each hint, the number of actions before it, the seat and the hint.
        notes: for each remark, the number of actions before it, the seat and the text.
        puzzle: the mistake of another game before which this game began; None for an ordinary game.

    Raises:
        GameStoreError: if the entries do not fit the rules.
    """

    def __init__(self, rules: Rules, seats: Sequence[Seat], entries: Sequence[GameEntry] = ()):
        self.rules, self.seats = rules, tuple(seats)
        self._text_interface: TextInterface = text_interface_of(rules.name)
        self._renderer = renderer_of(rules.name)
        self.entries = 0
        self.undone = 0
        self.moves = [0] * rules.num_players
        self.held: list[list[str]] = [[] for _ in rules.players]
        self.hints: list[tuple[int, int, dict[str, Any]]] = []
        self.notes: list[tuple[int, int, str]] = []
        self.puzzle: Puzzle | None = None
        self.frames: dict[str, ServedFrame] = {}
        self._undoable: list[PendingAction] = []
        try:
            chance = [entry.value for entry in entries if entry.kind in ("deal", "chance")]
            self.game = Game(rules, deal=rules.deal_of(chance)) if entries else Game(rules)
            self._open()
            for entry in entries:
                self._play_again(entry)
            if entries and len(chance) != (needed := len(self.game.outcomes)):
                raise ValueError(f"{len(chance)} chance outcomes, but the actions need {needed}")
            self.entries = len(entries)
        except (ValueError, TypeError, LookupError, ArithmeticError, RuntimeError, AssertionError) as error:
            raise GameStoreError(f"the game's entries do not fit the rules: {in_one_line(error)}") from None

    @property
    def viewers(self) -> tuple[str, ...]:
        """The viewers of the game: the players, and `SPECTATOR`."""
        return (*self.rules.players, SPECTATOR)

    def first_entries(self) -> list[GameEntry]:
        """Return the first entries of a new game, which the caller must save, and count them in ``entries``."""
        found = [GameEntry("chance", None, outcome) for outcome in self.game.outcomes]
        self.entries = len(found)
        return found

    # -- playing

    def pending(self, action: int) -> PendingAction:
        """Compute the effects of an action of the seat to act, without playing it; `play` then plays the result.

        Raises:
            IllegalActionError: if the action is not legal.
        """
        seat, played = self.game.seat_to_act, len(self.game.history)
        game = self.game.clone()
        game.act(action)
        assert seat is not None
        outcomes = [outcome for _, outcome in game.history[played + 1 :]]
        entries = [GameEntry("action", seat, game.action_name(action))]
        entries += [GameEntry("chance", None, outcome) for outcome in outcomes]
        frames = self._frames_after(game, seat, action, outcomes)
        return PendingAction(self.game, game, seat, action, tuple(entries), frames, self.frames)

    def play(self, pending: PendingAction) -> None:
        """Play an action that `pending` returned; no other action may have been played since then."""
        assert pending.before is self.game
        self.game = pending.game
        held = self.held[pending.seat]
        if held:
            del held[0]
        else:
            self.moves[pending.seat] += 1
        self.entries += len(pending.entries)
        if len(pending.entries) > 1 or self.game.seat_to_act != pending.seat:
            self._undoable = []
        else:
            self._undoable.append(pending)
        latest = {viewer: frames[-1] for viewer, frames in pending.frames.items() if frames}
        for viewer, frame in latest.items():
            said = [line for one in pending.frames[viewer] for line in one.lines]
            latest[viewer] = replace(frame, lines=(*self.frames[viewer].lines, *said), start=0)
        self.frames = {**self.frames, **latest}

    def act(self, action: int) -> PendingAction:
        """Play an action of the seat to act.

        Raises:
            IllegalActionError: if the action is not legal; nothing is changed.
        """
        pending = self.pending(action)
        self.play(pending)
        return pending

    def why_not_undo(self, seat: int) -> str | None:
        """Return why a seat cannot take back its latest choice; None if it can."""
        if not self.may_undo(seat):
            return NOTHING_TO_UNDO
        latest = self._undoable[-1]
        why = why_final(latest.before, latest.action, self.game)
        if why is None:
            return None
        self._undoable = []
        return f"the choice cannot be taken back: {why}"

    def undo(self, seat: int) -> list[str]:
        """Take back the latest choice of a seat; return the viewers who see a change.

        Raises:
            ValueError: if there is no such choice, or it has revealed something; nothing is changed.
        """
        why = self.why_not_undo(seat)
        if why is not None:
            raise ValueError(why)
        return self.take_back(seat)

    def take_back(self, seat: int) -> list[str]:
        """Take back the latest choice like `undo`, but without its check: `why_not_undo` must have returned None."""
        changed, latest = self.seen_of_undo(), self._undoable.pop()
        self.game = latest.before
        self.moves[seat] += 1
        self.entries += 1
        self.undone += 1
        shown_again = {
            viewer: replace(latest.frames_before[viewer], serial=self.frames[viewer].serial + 1) for viewer in changed
        }
        self.frames = {**self.frames, **shown_again}
        return changed

    def seen_of_undo(self) -> list[str]:
        """Return the viewers who would see an undo of the latest choice, because they were shown the choice."""
        before = self._undoable[-1].frames_before
        return [viewer for viewer, frame in self.frames.items() if frame.states is not before[viewer].states]

    def may_undo(self, seat: int) -> bool:
        """Return whether the seat made the latest choice, and no other seat or chance event has followed."""
        return bool(self._undoable) and self.game.seat_to_act == seat

    # -- deciding ahead

    def ahead(self, seat: int) -> Ahead | None:
        """Return the decision that the person on a seat can make ahead of their turn.

        The result is None if the seat is to act now or must wait, or if the game does not support deciding ahead.
        """
        if self.seats[seat].agent is not None or self._text_interface.sentences is None:
            return None
        viewer = self.rules.players[seat]

        def is_seen(before: Game, action: int, after: Game) -> bool:
            moments = self._renderer.moments_after(self.rules, before.states, action, [], after.states)
            return any(self._words(after, events, viewer) for _, events in moments)

        return ahead_of(self.game, seat, self.held[seat], is_seen)

    def hold(self, seat: int, name: str) -> None:
        """Hold an action until the seat's turn; the caller has checked with `ahead` that it is legal."""
        self.held[seat].append(name)
        self.moves[seat] += 1
        self.entries += 1

    def release(self, seat: int) -> None:
        """Take back the latest action that a seat holds."""
        self.held[seat].pop()
        self.moves[seat] += 1
        self.undone += 1
        self.entries += 1

    def add(self, entry: GameEntry) -> None:
        """Add a hint, a remark, or the mistake before which the game began."""
        assert entry.seat is not None
        self.entries += 1
        if entry.kind == "puzzle":
            self.puzzle, self._undoable = Puzzle(entry.seat, entry.value), []
            return
        kept: list[Any] = self.hints if entry.kind == "hint" else self.notes
        kept.append((len(self.game.actions), entry.seat, entry.value))

    def record(self) -> dict[str, Any]:
        """Return the game's record, with hints and remarks under the additional keys ``hints`` and ``notes``."""
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
        events = next(self.game.events_by_action()) if self._text_interface.sentences is not None else []
        self.frames = dict.fromkeys(self.viewers, ServedFrame(self.game.states.copy(), ()))
        self.frames = {
            viewer: replace(frame, lines=tuple(self._words(self.game, events, viewer)))
            for viewer, frame in self.frames.items()
        }

    def _words(self, game: Game, events: Sequence[Any], viewer: str) -> list[str]:
        """Return the log lines about events; in a game that has no sentences for events, the new lines of its story."""
        if self._text_interface.sentences is not None:
            return list(self._text_interface.sentences(game, events, viewer))
        return self._text_interface.story(game, viewer)[len(self.frames[viewer].lines) :]

    def _frames_after(
        self, game: Game, seat: int, action: int, outcomes: Sequence[Any]
    ) -> dict[str, list[ServedFrame]]:
        """Return the new frames of every viewer for an action.

        Args:
            game: the game after the action.
            seat: the seat that plays the action.
            action: id of the action.
            outcomes: the chance outcomes after the action.
        """
        now, has_words = game.states.copy(), self._text_interface.sentences is not None
        moments: list[tuple[States, Sequence[Any]]] = [(now, ())]
        if has_words:
            moments = list(self._renderer.moments_after(self.rules, self.game.states, action, outcomes, now))
        decides = game.seat_to_act
        shown: dict[str, list[ServedFrame]] = {}
        for viewer, before in self.frames.items():
            shown[viewer] = []
            start, serial = len(before.lines), before.serial
            for number, (states, events) in enumerate(moments, 1):
                is_last = number == len(moments)
                lines = self._words(game, events, viewer) if is_last or has_words else []
                is_own = viewer == self.rules.players[seat]
                if lines or (is_last and (is_own or decides != seat)):
                    serial += 1
                    shown[viewer].append(ServedFrame(states, tuple(lines), start, serial, not is_last))
                    start += len(lines)
        return shown

    # -- rebuilding

    def _play_again(self, entry: GameEntry) -> None:
        if entry.kind == "action":
            if entry.seat != self.game.seat_to_act:
                raise ValueError(f"{entry.value} is not an action of the seat to act")
            self.act(self.game.action_id(entry.value))
        elif entry.kind == "undo":
            if entry.seat is None or not self.may_undo(entry.seat):
                raise ValueError("an action is taken back that cannot be taken back")
            self.take_back(entry.seat)
        elif entry.kind in ("held", "released"):
            self._hold_again(entry)
        elif entry.kind in ("hint", "note", "puzzle"):
            kind = str if entry.kind == "note" else dict
            if entry.seat not in range(self.rules.num_players) or not isinstance(entry.value, kind):
                raise ValueError(f"a {entry.kind} is invalid")
            self.add(entry)
        elif entry.kind not in ("deal", "chance"):
            raise ValueError(f"{shortened(entry.kind)} is not a kind of entry, or not allowed here")

    def _hold_again(self, entry: GameEntry) -> None:
        seat, is_held = entry.seat, entry.kind == "held"
        if seat is None or seat not in range(self.rules.num_players) or not (is_held or self.held[seat]):
            raise ValueError("an action is held or taken back that cannot be")
        if is_held:
            self.hold(seat, self.game.action_name(self.game.action_id(entry.value)))
        else:
            self.release(seat)
