"""OpenSpiel's games as a family of games: ``openspiel:NAME(key=value,...)``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import cast

from romans_env.core.games import GameSpec
from romans_env.core.protocol import Setup
from romans_env.openspiel.facts import facts_of
from romans_env.openspiel.rules import OpenSpielRules, rules_class
from romans_env.openspiel.tree_rules import OpenSpielTreeRules


@functools.cache
def game_of(text: str) -> GameSpec:
    """Return the spec of an OpenSpiel game.

    Its name is canonical: it has the parameters that differ from OpenSpiel's defaults, sorted.

    Args:
        text: the game as OpenSpiel writes it, such as ``kuhn_poker(players=3)``.

    Raises:
        romans_env.openspiel.facts.OpenSpielGameError: if there is no such game, or it cannot be played here; the
            message is one line.
    """
    facts = facts_of(text)
    if facts.text != text:
        return game_of(facts.text)
    is_small = facts.num_places > 0
    rules: type[OpenSpielRules] = rules_class(facts, OpenSpielTreeRules if is_small else OpenSpielRules)
    return GameSpec(
        name=facts.name,
        title=f"{facts.title} ({', '.join([*_parameters(facts.text), 'OpenSpiel'])})",
        rules=rules,
        # A cast, because the game's name is an attribute of each setup here, while `Setup` has it on the class.
        setup=cast("Callable[..., Setup]", rules.setup_of),
        default_players=facts.num_players,
        step="romans_env.openspiel.tree_steps" if is_small else None,
        control_variates="romans_agents.variates.chance_variates:ChanceVariates" if is_small else None,
        luck="romans_agents.variates.chance_variates:luck_of" if is_small else None,
        best_responder="romans_agents.openspiel.responder:OpenSpielResponder" if facts.num_players > 1 else None,
    )


def _parameters(text: str) -> list[str]:
    """Return the parameters in a game's text as a list with one text; empty if there are none."""
    return [text.partition("(")[2].removesuffix(")")] if "(" in text else []
