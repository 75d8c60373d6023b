"""Decisions and answers in words, for language models: `describe`, `parse`.

An answer is the last JSON object of a text such as ``{"actions": ["place:axx", ...]}``. The prose around it is ignored.
The object names the action to play now. Further names are a plan: actions to play at the seat's next decisions.

If ``renamed``, a seed, is given, cards and places have invented names in all texts and in answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from romans_env.core.files import json_of
from romans_env.core.game import Game, View
from romans_env.core.games import spec_of
from romans_env.core.protocol import Rules
from romans_env.errors import shortened
from romans_env.render.renaming import Renaming
from romans_env.render.renderer import renderer_of
from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import HelpTable, phrases_of, text_interface_of

LONGEST_ANSWER = 2**20
"""The largest number of characters in an answer; longer answers are refused."""
_LONGEST_PLAN = 64
ANSWER_FORM = (
    'End your answer with a JSON object such as {"actions": ["NAME"]}, where NAME is the name of an action above, '
    "as it is written there. You may go on with the actions that you choose next, for as long as it stays your "
    "decision."
)


class AnswerError(ValueError):
    """Raised for an answer that names no legal action; the message gives the reason in one line."""


class Plan(NamedTuple):
    """The actions that an answer names: one to play now, and actions planned for later decisions.

    Attributes:
        actions: action ids, in order; the first one is legal now.
        views: for each action after the first, the private view in which the action will be played, as bytes. The plan
            ends before the first decision whose view cannot be foreseen because another seat or chance acts first.
    """

    actions: tuple[int, ...]
    views: tuple[bytes, ...]


def introduce(game: str, renamed: int | None = None) -> str:
    """Describe the aim and the cards of a game as a text that is the same for all decisions.

    Args:
        game: the name of the game.
        renamed: the seed of invented names, with which the title of the game is left out; None for the game's own
            names.

    Raises:
        ValueError: if there is no such game, or if ``renamed`` is given and the game lists no names to replace.
    """
    spec = spec_of(game)
    if renamed is None:
        return f"{spec.title}\n{_introduction(game)}"
    return f"A game\n{renaming_of(spec.make_rules(), renamed).hide(_introduction(game))}"


def _introduction(game: str) -> str:
    """Return the introduction of a game without its title."""
    text_interface = text_interface_of(game)
    lines = [*text_interface.aim, *text_interface.rules_text]
    for table in text_interface.help_tables:
        lines += ["", f"{table.title}:", *_lines_of(table)]
    return "".join(f"{line}\n" for line in lines)


def renaming_of(rules: Rules, renamed: int | None) -> Renaming:
    """Return the replacement of names with which a game's texts are written and answers are read.

    Args:
        rules: the rules of the game.
        renamed: the seed of the invented names; None to keep all names.

    Raises:
        ValueError: if ``renamed`` is given and the game lists no names to replace.
    """
    if renamed is None:
        return _UNCHANGED
    names = text_interface_of(rules.name).names
    if names is None:
        raise ValueError(f"{rules.name} lists no names to replace (TextInterface.names), so renamed cannot be used")
    return _renaming(rules.name, tuple(names(rules)), renamed)


_UNCHANGED = Renaming(())


@lru_cache(maxsize=64)
def _renaming(game: str, names: tuple[str, ...], seed: int) -> Renaming:
    page = text_interface_of(game).rules_page
    texts = [_introduction(game), ANSWER_FORM, "" if page is None else page.read_text(encoding="utf-8")]
    return Renaming(names, {word.lower() for text in texts for word in re.findall(r"[^\W\d_]+", text)}, seed)


def describe(view: View, form: str = ANSWER_FORM, legal: bool = True, renamed: int | None = None) -> str:
    """Describe a decision: what the seat knows of the position, the question, the legal actions, how to answer.

    Equal views have identical descriptions.

    Args:
        view: the private view of the seat to act.
        form: instructions on how to answer; empty if the reader gets them elsewhere, as with tool calls.
        legal: whether to list the legal actions. If not, the names of all actions of the same kinds are listed, legal
            or not, and the reader must know the rules.
        renamed: the seed of invented names; None for the game's own names.

    Raises:
        ValueError: if ``renamed`` is given and the game lists no names to replace.
    """
    game = Game.of_states(view.rules, view.states.copy())
    text_interface, seat = text_interface_of(view.rules.name), view.agent
    renderer = renderer_of(view.rules.name)
    lines = [f"You are {seat}.", "", *renderer.position_lines(game, seat)]
    actions = view.legal_actions()
    if not actions:
        return renaming_of(view.rules, renamed).hide("\n".join([*lines, "", "You have nothing to decide."]) + "\n")
    # Left out because the question below says it.
    lines = [line for line in lines if not line.startswith(f"  {seat} decides")]
    seat_names = SeatNames({name: name for name in view.rules.seats}, reader=seat, ascii_only=True)
    lines += ["", text_interface.question(game, seat, seat_names)]
    if legal:
        phrases = phrases_of(game, seat, actions).items()
        lines += ["Legal actions:", *(f"- {name}" if name == said else f"- {name}: {said}" for name, said in phrases)]
    else:
        lines += ["Actions of such a decision, legal now or not:", ", ".join(_names_like(view, actions))]
    text = renaming_of(view.rules, renamed).hide("\n".join(lines) + "\n")
    return f"{text}\n{form}\n" if form else text


def _names_like(view: View, actions: Sequence[int]) -> list[str]:
    """Return the names of all actions of the given actions' kinds; the kind is the name up to the first colon."""
    kinds = {view.action_name(action).partition(":")[0] for action in actions}
    names = map(view.action_name, range(view.rules.num_actions))
    return [name for name in names if name.partition(":")[0] in kinds]


def format_answer(actions: Sequence[int], view: View, renamed: int | None = None) -> str:
    """Return actions as an answer in JSON that `parse` and `plan_of` can read."""
    names = renaming_of(view.rules, renamed)
    return json.dumps({"actions": [names.hide(view.action_name(action)) for action in actions]})


def parse(text: str, view: View, renamed: int | None = None) -> int:
    """Return the id of the first action that an answer names; ``renamed`` has the same meaning as in `describe`.

    Raises:
        AnswerError: if the answer has no JSON object, names no legal action, or plans an action that will not be legal;
            the message is one line.
        ValueError: if ``renamed`` is given and the game lists no names to replace.
    """
    return plan_of(text, view, renamed=renamed).actions[0]


def plan_of(answer: str | dict[str, Any], view: View, legal: bool = True, renamed: int | None = None) -> Plan:
    """Return the actions that an answer names, up to the first decision that the seat cannot foresee.

    Args:
        answer: the text of the answer, or the JSON object in it, parsed.
        view: the view that `describe` described.
        legal: whether error messages list the legal actions.
        renamed: the seed given to `describe`. With a seed, an original name counts as an unknown action.

    Raises:
        AnswerError: if the answer has no JSON object, names no legal action, or plans an action that will not be legal.
        ValueError: if ``renamed`` is given and the game lists no names to replace.
    """
    names = renaming_of(view.rules, renamed)
    game = Game.of_states(view.rules, view.states.copy())
    actions = _ids_of(_object_of(answer) if isinstance(answer, str) else answer, game, names, legal)
    first = actions[0]
    if first not in view.legal_actions():
        why = _why_illegal(game, first, legal) if view.legal_actions() else "it is not your decision"
        raise AnswerError(names.hide(why))
    if view.rules.has_chance_to_come(view.states, 0):  # the seat's next view may depend on chance
        return Plan((first,), ())
    played, views = [first], []
    # The views after the seat's own choices are the same in all determinizations, so any determinization will do.
    game = view.sample_game(np.random.default_rng(0))
    game.act(first)
    for action in actions[1:]:
        if game.seat_to_act != view.seat:
            break
        if action not in game.legal_actions():
            why = f"after {view.action_name(played[-1])}, {_why_illegal(game, action, legal)}"
            raise AnswerError(names.hide(why))
        played.append(action)
        views.append(game.view(view.seat).states.tobytes())
        game.act(action)
    return Plan(tuple(played), tuple(views))


def _why_illegal(game: Game, action: int, legal: bool) -> str:
    return game.why_illegal(action) if legal else f"{game.action_name(action)} is not legal"


def _ids_of(answer: dict[str, Any], game: Game, names: Renaming, legal: bool) -> list[int]:
    """Return the ids of the actions that an answer names; error messages quote its words unchanged."""
    found = answer.get("actions", answer.get("action"))
    found = [found] if isinstance(found, str) else found
    if not isinstance(found, list) or not found or not all(isinstance(name, str) for name in found):
        raise AnswerError(
            f'the JSON object names no actions; it has the form {{"actions": ["NAME"]}}, not {shortened(answer)}'
        )
    if len(found) > _LONGEST_PLAN:
        raise AnswerError(f"a plan has at most {_LONGEST_PLAN} actions, not {len(found)}")
    # The name may have been copied from the list of legal actions together with the colon after it.
    return [_id_of(name.strip().removesuffix(":"), game, names, legal) for name in found]


def _id_of(said: str, game: Game, names: Renaming, legal: bool) -> int:
    name = names.restore(said)
    try:
        if names.hide(name) == said:  # otherwise the answer contains an original name that was replaced
            return game.action_id(name)
    except ValueError:
        pass
    known = game.legal_actions() if legal else range(1)
    listed = names.hide(", ".join(map(game.action_name, known)))
    raise AnswerError(f"there is no action {shortened(said)}; {'legal are' if legal else 'names look like'} {listed}")


def _object_of(text: str) -> dict[str, Any]:
    """Return the last top-level JSON object of a text."""
    if len(text) > LONGEST_ANSWER:
        raise AnswerError(f"the answer has more than {LONGEST_ANSWER:,} characters")
    decoder, at, found = json.JSONDecoder(), 0, ""
    while (start := text.find("{", at)) >= 0:
        try:
            _, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            # The last object is the answer. If it is broken, an earlier one must not take its place.
            raise AnswerError(
                f"the JSON object that begins with {shortened(text[start : start + 40])} is broken: {error}"
            ) from None
        found = text[start:at]
    if not found:
        raise AnswerError('there is no JSON object; end with one such as {"actions": ["NAME"]}')
    try:
        return dict(json_of(found))
    except ValueError as error:
        raise AnswerError(f"the JSON object cannot be read: {error}") from None


def _lines_of(table: HelpTable) -> list[str]:
    lines = []
    for name, *middle, sentence in table.rows:
        notes = ", ".join(f"{head} {entry}" for head, entry in zip(table.columns[1:-1], middle, strict=True))
        lines.append(f"- {name}{f' ({notes})' if notes else ''}: {sentence}")
    return lines
