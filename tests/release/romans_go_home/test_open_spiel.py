"""Tables as OpenSpiel games: the tree, what a seat knows in it, and OpenSpiel's algorithms on it."""

import functools
import subprocess
import sys
from collections import Counter, defaultdict
from itertools import permutations
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability  # noqa: E402

import romans_agents  # noqa: E402
from romans_env import Game, IllegalActionError, Table  # noqa: E402
from romans_env.envs.open_spiel_game import open_spiel_game, tabular_policy  # noqa: E402
from romans_env.render.romans_go_home.sentences import in_words  # noqa: E402
from romans_env.romans_go_home.chance import deal_as_json  # noqa: E402
from romans_env.romans_go_home.setup import SMALL_TABLE  # noqa: E402
from romans_training.measure.evaluation import evaluate  # noqa: E402
from tests.romans_go_home import invariants  # noqa: E402

pytestmark = pytest.mark.slow

TABLES = {
    "small": SMALL_TABLE,
    "tiny": Table(2, 0, "standard", ("unwary-2", "dinary-3"), ("axx", "filchy", "chariott"), 2, 1),
    "zvord": Table(2, 0, "standard", ("dinary-1", "unwary-2", "signal-4"), ("zvord", "axx", "archr", "chariott"), 3, 1),
    "two rounds": Table(
        2, 0, "standard", ("legion-1", "dinary-1", "dinary-3", "tax-8"), ("zvord", "archr", "chariott"), 2, 2
    ),
    "neutral": Table(
        2, 1, "vogel", ("legion-1", "tax-8", "signal-4"), ("druhid", "zvord", "chariott", "chariott"), 3, 1
    ),
    "three players": Table(3, 0, "standard", ("signal-4", "dinary-5"), ("qween", "horsie", "chariott"), 2, 1),
    "solo": Table(1, 1, "standard", ("legion-2", "signal-4"), ("druhid", "axx", "horsie"), 2, 1),
}
all_tables = pytest.mark.parametrize("name", TABLES)


@functools.cache
def game_of(name: str) -> Any:
    return open_spiel_game(TABLES[name])


@functools.cache
def places(name: str) -> list[Any]:
    """Every place of the tree."""
    found, waiting = [], [game_of(name).new_initial_state()]
    while waiting:
        state = waiting.pop()
        found.append(state)
        waiting += [state.child(action) for action in state.legal_actions()]
    return found


def places_to_decide(name: str) -> list[Any]:
    return [state for state in places(name) if state.current_player() >= 0]


def engine_game(state: Any) -> Game:
    """The game of a place, played again from its deal."""
    rules = state.get_game().rules
    game = Game(rules, deal=deal_as_json(state.moment.states[0], rules.setup))
    for player, action in ((one.player, one.action) for one in state.full_history()):
        if player >= 0:
            assert game.seat_to_act == player
            game.act(action)
    return game


@pytest.mark.parametrize(
    ("name", "chance", "decisions", "ends", "information_states"),
    [
        ("small", 5, 5082, 5866, [381, 381]),
        ("tiny", 0, 72, 80, [20, 20]),
        ("zvord", 0, 3511, 3742, [866, 866]),
        ("two rounds", 1, 6456, 8022, [1008, 1008]),
        ("neutral", 1, 2968, 3508, [179, 200]),
        ("three players", 0, 340, 384, [42, 42, 42]),
        ("solo", 1, 34, 46, [12]),
    ],
)
def test_the_size_of_the_tree(name, chance, decisions, ends, information_states):
    kinds = Counter(state.get_type() for state in places(name))
    assert kinds[pyspiel.StateType.CHANCE] == chance
    assert kinds[pyspiel.StateType.DECISION] == decisions
    assert kinds[pyspiel.StateType.TERMINAL] == ends
    known = [set() for _ in information_states]
    for state in places_to_decide(name):
        known[state.current_player()].add(state.information_state_string())
    assert [len(strings) for strings in known] == information_states


@pytest.mark.parametrize("name", [name for name in TABLES if name not in ("small", "two rounds")])
def test_a_place_is_the_engines_game(name):
    for state in places(name)[:: 5 if len(places(name)) > 1000 else 1]:
        if state.is_chance_node():
            continue
        game = engine_game(state)
        assert state.moment.states.tobytes() == game.states.tobytes()
        assert state.returns() == list(game.returns().values())
        assert state.is_terminal() == game.is_over
        if not game.is_over:
            assert state.current_player() == game.seat_to_act
            assert state.legal_actions() == game.legal_actions()
            assert [state.action_to_string(a) for a in state.legal_actions()] == list(
                map(game.action_name, game.legal_actions())
            )
        invariants.check(game)


@all_tables
def test_a_game_is_no_longer_than_its_bound(name):
    game = game_of(name)
    ends = [state for state in places(name) if state.is_terminal()]
    assert max(sum(player.player >= 0 for player in end.full_history()) for end in ends[::7]) <= game.max_game_length()
    assert all(sum(end.returns()) == pytest.approx(0) or game.num_players() == 1 for end in ends)
    assert game.max_chance_outcomes() == max(
        [1, *(len(s.chance_outcomes()) for s in places(name) if s.is_chance_node())]
    )


def test_hands_are_dealt_as_often_as_the_cards_have_it():
    root = game_of("small").new_initial_state()
    hands = {root.action_to_string(number): chance for number, chance in root.chance_outcomes()}
    # One of five cards is left out; two of the five are Ch'ariotts.
    assert hands == pytest.approx(
        {
            "player_0 axx filchy chariott chariott": 1 / 5,
            "player_0 qween axx chariott chariott": 1 / 5,
            "player_0 qween axx filchy chariott": 2 / 5,
            "player_0 qween filchy chariott chariott": 1 / 5,
        }
    )


def test_walls_of_two_rounds_are_dealt_as_the_engine_lays_them():
    game, table = game_of("two rounds"), TABLES["two rounds"]
    expected: Counter = Counter()
    hand = list(table.warriors)
    for order in permutations(table.fort_deck):
        cards = [dict.fromkeys(table.players, hand)] * 2
        played = Game(game.rules, deal={"forts": list(order), "rounds": cards})
        expected[tuple(played.position()["wall"])] += 1 / 24
    root = game.new_initial_state()
    walls = {tuple(root.action_to_string(n).split()[1:]): chance for n, chance in root.chance_outcomes()}
    assert walls == pytest.approx(expected)


def told(state: Any, player: int) -> tuple[Any, ...]:
    """What a seat was told from the start, by another way than the information state: its hands and the transcript."""
    game = engine_game(state)
    name = game.players[player]
    hands = [sorted(cards[name]) for cards in game.deal()["rounds"][: game.position()["round"]]]
    return str(hands), tuple(in_words(game, game.events(), name)), game.agent_to_act


@pytest.mark.parametrize("name", list(TABLES)[1:])
def test_an_information_state_is_what_the_seat_was_told(name):
    every = 1 + len(places(name)) // 1000
    told_in, told_as = defaultdict(set), defaultdict(set)
    for state in places_to_decide(name)[::every]:
        player = state.current_player()
        string, words = state.information_state_string(player), (player, *told(state, player))
        told_in[string].add(words)
        told_as[words].add(string)
    assert all(len(words) == 1 for words in told_in.values())
    assert all(len(strings) == 1 for strings in told_as.values())
    assert len(told_in) == len(told_as) > 10


@all_tables
def test_all_places_of_an_information_state_look_alike_and_a_seat_forgets_nothing(name):
    looks, paths, tensors, shape = {}, {}, {}, tuple(game_of(name).information_state_tensor_shape())
    for number, state in enumerate(places_to_decide(name)):
        player = state.current_player()
        view, string = state.view(player), state.information_state_string(player)
        look = (view.states.tobytes(), tuple(state.legal_actions()), state.observation_string(player))
        assert looks.setdefault(string, look) == look
        if number % 5 == 0:
            # Its earlier information states and choices follow from the information state: perfect recall.
            path, here = [], game_of(name).new_initial_state()
            for one in state.full_history():
                if one.player == player:
                    path.append((here.information_state_string(player), one.action))
                here.apply_action(one.action)
            assert paths.setdefault(string, path) == path
            tensor = np.array(state.information_state_tensor(player), dtype=np.float32)
            assert tensor.shape == shape
            assert tensors.setdefault((player, tensor.tobytes()), string) == string
            assert state.observation_tensor(player) == view.observation.tolist()


@pytest.mark.parametrize("name", ["two rounds", "neutral", "three players", "solo"])
def test_openspiels_random_simulations(name):
    pyspiel.random_sim_test(game_of(name), num_sims=1, serialize=True, verbose=False)


def test_greedy_on_the_small_table():
    game = game_of("small")
    greedy = tabular_policy(game, romans_agents.make("greedy"))
    assert (greedy.action_probability_array.max(axis=1) == 1).all()
    # The exact value of greedy against random is what the arena finds by playing.
    uniform = tabular_policy(game, romans_agents.make("random"))
    root = game.new_initial_state()
    exact = [
        expected_game_score.policy_value(root, [greedy, uniform])[0],
        expected_game_score.policy_value(root, [uniform, greedy])[1],
    ]
    played = evaluate(romans_agents.make("greedy"), [romans_agents.make("random")], SMALL_TABLE, num_deals=2000)
    assert abs(np.mean(exact) - played.mean_return.mean) < 5 * (played.mean_return.high - played.mean_return.low) / 4


def test_cfr_finds_policies_that_are_hard_to_exploit():
    game = game_of("tiny")
    solver = cfr.CFRPlusSolver(game)
    before = exploitability.nash_conv(game, policy.TabularPolicy(game))
    for _ in range(8):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < before / 4


@pytest.mark.parametrize("table", [Table(), Table(2, 2), Table(1, 1, "vogel", ["tax-8"] * 6, None, 6, 1)], ids=str)
def test_a_table_that_is_too_large(table):
    with pytest.raises(ValueError, match="is too large for OpenSpiel: chance would have more than 10000 ways to draw"):
        open_spiel_game(table)


def test_parameters_left_out_are_those_of_the_small_table():
    with pytest.raises(ValueError, match="a clan has at most 1 qween"):
        pyspiel.load_game("python_romans_go_home(warriors=qween+qween+axx+archr)")
    assert pyspiel.load_game("python_romans_go_home").rules.setup == SMALL_TABLE
    other = pyspiel.load_game("python_romans_go_home(variant=vogel,line_size=2,fort_deck=tax-8+signal-4)")
    assert other.rules.setup == Table(2, 0, "vogel", ("tax-8", "signal-4"), SMALL_TABLE.warriors, 2, 1)
    assert pyspiel.load_game(str(other)).rules.setup == other.rules.setup


def test_without_openspiel_a_line_says_what_to_install():
    script = "import sys; sys.modules['pyspiel'] = None; import romans_env.envs.open_spiel_game"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode != 0
    assert "OpenSpiel is not installed; install it with: pip install 'romans-env[openspiel]'" in done.stderr


def test_an_observer_of_everything_is_refused():
    everything = pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="what one seat may know"):
        game_of("tiny").make_py_observer(everything)


class Absent(romans_agents.Agent):
    def act(self, view):
        return 0


def test_an_agent_that_answers_with_an_illegal_action():
    with pytest.raises(IllegalActionError, match=r"^the agent agent: discard:qween is not legal: player"):
        tabular_policy(game_of("tiny"), Absent())
