"""The agents of all games: the same again from a seed, and from private views."""

import pytest

import romans_agents
from romans_agents.specs.listing import describe_agents
from tests.agents.choices import CASES
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE
from tests.tools import Lcg, decisions, play, state_bytes

pytestmark = pytest.mark.slow

AGENTS = {
    **{spec: (ROMA, {}) for spec in CASES["roma"].specs},
    **dict.fromkeys(("chieftain", "plunderer", "kingdom-builder", "trader"), (STRUGGLE, {})),
    "flat-mc:iterations=10": (STRUGGLE, {"num_players": 3, "max_rounds": 1, "max_offers": 1}),
    "mo-ismcts:iterations=10": (STRUGGLE, {"max_rounds": 1}),
    "stilicho:iterations=4,turns=2": (STRUGGLE, {"player_trade": False, "max_rounds": 2}),
    "odoacer": (STRUGGLE, {"num_players": 3, "max_rounds": 2}),
    "tribune": (ROMANS_GO_HOME, {"num_neutrals": 0}),
}
each_agent = pytest.mark.parametrize(
    ("spec", "game", "setup"), [pytest.param(spec, *of, id=spec) for spec, of in AGENTS.items()]
)
OF_ROMANS_GO_HOME = (
    "greedy",
    "hoarder",
    "legionary",
    "skirmisher",
    "mixer",
    "schemer",
    "legate:sample=false",
    "plan-mc:iterations=20,plans=8",
    "round-ismcts:iterations=20",
    "flat-mc:iterations=8",
    "mo-ismcts:iterations=8",
)
TABLES = ({"num_players": 1, "num_neutrals": 2}, {"num_neutrals": 1, "variant": "vogel"}, {"num_players": 4})


@each_agent
def test_an_agent_plays_whole_games_the_same_again(spec, game, setup):
    others = ["random:seed=1"] * (game.rules(**setup).num_players - 1)
    games = [
        play(game.new_game(1, **setup), *(romans_agents.make(one, game=game.name) for one in (spec, *others)))
        for _ in range(2)
    ]
    assert games[0].record() == games[1].record()
    assert romans_agents.make(spec, game=game.name).name == spec


@pytest.mark.parametrize(
    ("spec", "game", "setup", "every"),
    [
        *((spec, game, {}, 3 if game is ROMA else 48) for spec, (game, _) in AGENTS.items() if spec != "tribune"),
        ("tribune", ROMANS_GO_HOME, {"num_neutrals": 0}, 3),
        *((spec, ROMANS_GO_HOME, setup, 3) for spec in OF_ROMANS_GO_HOME for setup in TABLES),
    ],
)
def test_a_choice_is_a_function_of_seed_and_private_view(spec, game, setup, every):
    agent, lcg, changed = romans_agents.make(spec, game=game.name), Lcg(5), 0

    def chosen(one, view):
        if game is ROMANS_GO_HOME:
            one.seed(1)  # a plan that was made is forgotten
        return one.act(view)

    for number, here in enumerate(decisions(game.new_game(3, **setup), 3)):
        if number % every:
            continue
        seat = here.seat_to_act
        other = game.scrambled(here, seat, lcg)
        changed += state_bytes(other) != state_bytes(here)
        view = here.view(seat)
        before = view.states.tobytes()
        fresh = romans_agents.make(spec, game=game.name)
        assert chosen(agent, other.view(seat)) == chosen(agent, view) == chosen(fresh, view)
        assert view.states.tobytes() == before
    assert changed > 5


@pytest.mark.parametrize("game", [ROMA, STRUGGLE], ids=lambda game: game.name)
def test_names_are_those_of_the_game(game):
    names = romans_agents.names(game.name)
    own = {spec.partition(":")[0] for spec, (other, _) in AGENTS.items() if other is game}
    assert {"random", "policy", *own} <= set(names) and "greedy" not in names
    with pytest.raises(romans_agents.UnknownAgentError) as error:
        romans_agents.make("greedy", game=game.name)
    said = f"unknown agent 'greedy' (it plays romans-go-home); there are {', '.join(names)}, or "
    assert str(error.value).startswith(said)
    summaries = {one.name: one.summary for one in describe_agents(game.name)}
    assert all(summaries[name] for name in own)
