"""When Qween charms, and whom (RULES 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from notebooks.anatomy import drawing
from notebooks.anatomy.analysis_result import AnalysisResult, table_of
from notebooks.anatomy.sampling import PlayedGames
from romans_env.romans_go_home.chance import deal_as_json
from romans_env.romans_go_home.material import CHARIOTT, FORTS, NONE, QWEEN, STRENGTH, WARRIORS
from romans_env.romans_go_home.playback import phases
from romans_env.romans_go_home.state import PHASE_CAPTURE, State
from romans_training.intervals import rate_in_clusters


def _figure(result: AnalysisResult) -> Figure:
    agents = result.frame["agent"].cat.categories.tolist()
    turns = drawing.turns_of(result.frame)
    figure, panels = drawing.new_figure(
        f"Whom Qween charms, and when: {result.sample}",
        max(6.0, 1.2 + 3.2 * len(agents)),
        4.4,
        len(agents),
        sharey=True,
    )
    counts = np.zeros((len(agents), len(WARRIORS), len(turns)))
    for row in result.frame.itertuples():
        counts[agents.index(row.agent), WARRIORS.index(row.warrior), row.turn - 1] += 1
    totals = counts.sum(axis=(1, 2), keepdims=True)
    shares = np.divide(counts, totals, out=np.full_like(counts, np.nan), where=totals > 0)
    for panel, agent, of_agent in zip(panels, agents, shares, strict=True):
        own = result.frame[result.frame["agent"] == agent]
        drawing.draw_shares(panel, of_agent, list(map(str, turns)), np.nanmax(shares, initial=0.0))
        panel.set_title(f"{drawing.label_of(agent)}, n = {len(own):,}\n{_choices_in_words(own)}", fontsize=8.5)
    figure.supxlabel("turn (% of charms)", fontsize=9)
    figure.supylabel("warrior charmed", fontsize=9)
    return figure


def _choices_in_words(own: Any) -> str:
    chosen = own[own["had_choice"]]
    if chosen.empty:
        return "never had a choice"
    share = rate_in_clusters(chosen["is_strongest"].to_numpy(), chosen["deal"].to_numpy())
    percent = ", ".join(f"{100 * end:.0f}" for end in share[1:])
    return f"had a choice in {len(chosen):,}: the strongest {100 * share.mean:.0f} % [{percent}]"


def charms(games: PlayedGames) -> AnalysisResult:
    """Every charm, forced ones too: where a single rival has a warrior to charm, there is no choice (RULES 4.14).

    The columns of the table, a row for each charm: ``game``, ``deal``, ``round``, ``turn``, ``agent`` (a category),
    ``fort`` that is fought for, ``charmed`` (the agent of the warrior's clan, or the neutral clan's name), ``warrior``
    and its ``strength``, ``had_choice``, ``is_strongest`` (no rival warrior that could be charmed was stronger),
    ``captures`` (whether the charmer captured the fort).

    Args:
        games: the games.
    """
    rows = [row for game in range(len(games.states)) for row in _charms_of(games, game)]
    columns = ["game", "deal", "round", "turn", "agent", "fort", "charmed", "warrior", "strength"]
    flags = ["had_choice", "is_strongest", "captures"]
    frame = table_of(rows, [*columns, *flags], games.labels)
    frame = frame.astype(dict.fromkeys(flags, bool))
    return AnalysisResult(frame, f"{games.sample}, n = {len(frame):,} charms", _figure)


def _charms_of(games: PlayedGames, game: int) -> Iterator[tuple[Any, ...]]:
    """The charms of a game: it is played again, phase by phase, since a forced one is nobody's decision."""
    rules = games.rules
    states = rules.new_states(1)
    rules.act_chance(states, 0, deal_as_json(games.states[game], rules.setup))
    for action in games.action[games.game == game].tolist():
        for before, after, _ in phases(states, action):
            if before.phase == PHASE_CAPTURE and after.charmed != NONE:
                fort = FORTS[before.wall[before.turn - 1]]
                labels = [*(games.labels[k] for k in games.seated[game]), *rules.seats[rules.num_players :]]
                yield (game, int(games.deal[game]), *_charm(after, labels, fort))


def _charm(state: State, labels: list[str], fort: str) -> tuple[Any, ...]:
    revealed = state.revealed[: state.num_clans].tolist()
    by, charmed = revealed.index(QWEEN), int(state.charmed)  # two Qweens would not charm
    strengths = [
        int(STRENGTH[warrior])
        for seat, warrior in enumerate(revealed)
        if seat != by and not (state.wrecked and warrior == CHARIOTT)
    ]
    strength = int(STRENGTH[revealed[charmed]])
    return (
        *(int(state.round_index) + 1, int(state.turn), labels[by], fort, labels[charmed], WARRIORS[revealed[charmed]]),
        *(strength, len(strengths) > 1, strength == max(strengths), int(state.captor) == by),
    )
