"""The games of OpenSpiel as a family of games: ``openspiel:NAME(key=value,...)``."""

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
    """Return a game of OpenSpiel.

    Its name has the parameters that are not OpenSpiel's defaults, in order, so that equal games have one name.

    Args:
        text: the game as OpenSpiel writes it, such as ``kuhn_poker(players=3)``.

    Raises:
        romans_env.openspiel.facts.OpenSpielGameError: no such game, or one that cannot be played here, in one line.
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
        # The name of the game is an attribute of each setup, not of a class.
        setup=cast("Callable[..., Setup]", rules.setup_of),
        default_players=facts.num_players,
        step="romans_env.openspiel.tree_steps" if is_small else None,
        control_variates="romans_agents.variates.chance_variates:ChanceVariates" if is_small else None,
        luck="romans_agents.variates.chance_variates:luck_of" if is_small else None,
        best_responder="romans_agents.openspiel.responder:OpenSpielResponder" if facts.num_players > 1 else None,
    )


def _parameters(text: str) -> list[str]:
    """Return what stands in the brackets of a game's text, if anything does."""
    return [text.partition("(")[2].removesuffix(")")] if "(" in text else []
