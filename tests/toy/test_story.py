"""What happens in a game without a renderer, in words: its events, to each viewer as it may know them."""

import inspect
import re
from types import MappingProxyType

import pytest

from romans_agents.external.text_env import TextEnv
from romans_env import Game, GameSpec, save_record
from romans_env.core import games
from romans_env.core.event import Event, EventError
from romans_env.render.language import introduce
from romans_env.render.plain import RENDERER, event_lines, story
from romans_env.render.replay_frames import FULL_STATE
from romans_env.render.text_interface import text_interface_of
from romans_serve.games.served_game import ServedGame
from romans_serve.games.store import Seat
from tests.toy.rules import DiceRace

BONUSES, DICE = (2, 5), (3, 1, 4, 1, 2, 6, 1, 1, 3, 2)
SILENT = "name:0"
ACTIONS = ("name:3", SILENT, "name:8", "name:7", SILENT)
VIEWERS = (None, "player_0", "player_1", "somebody")


class ToldRace(DiceRace):
    """Who has named the best numbers in ten turns wins.

    A die is thrown in every turn,
      and a multiple of it named.
    """

    def opening_events(self, states, i, outcomes=()):
        dealt = [{"player": player, "bonus": bonus} for player, bonus in zip(self.players, outcomes[:2], strict=True)]
        return [*(Event("is dealt", one, secret="bonus") for one in dealt), *self.thrown(outcomes[2:])]

    def events(self, states, i, action, outcomes=()):
        """Events of every form; how many are private depends on what is hidden, and no event tells who names 0."""
        seat = int(states["turn"][i]) % 2
        player, bonus = self.players[seat], int(states["bonus"][i, seat])
        told = [Event("A look", {"bonus": bonus}, private_to=player)] * bonus
        if action:
            told.append(Event("names", {"player": player, "number": action}))
        if action % 2:
            told.append({"kind": "keeps", "player": player, "cards": [bonus, bonus], "secret": "cards"})
        return [*told, *self.thrown(outcomes)]

    @staticmethod
    def thrown(outcomes):
        return [f"The die shows {face}" for face in outcomes]


class HidingRace(ToldRace):
    """A race in which others do not count who has named a number, and no event tells it."""

    hidden_decisions = MappingProxyType({"name": 1})

    def events(self, states, i, action, outcomes=()):
        return []


def told_race(rules=ToldRace):
    games.register(GameSpec(name="dice-race", title="Told Race", rules=rules))
    return rules()


@pytest.fixture(autouse=True)
def forgotten(own_games):
    """The rules of a test are the toy game's there alone."""


def played(rules, bonuses=BONUSES, actions=ACTIONS):
    """Games after every action, from the start on."""
    game = Game(rules, deal={"outcomes": [*bonuses, *DICE]})
    yield game
    for action in actions:
        game.act(action)
        yield game


def after_all(*arguments):
    *_, game = played(*arguments)
    return game


def test_every_viewer_is_told_what_it_may_know():
    game = after_all(told_race(), BONUSES, ACTIONS[:2])
    looks = {"player_0": ["A look: bonus 2"] * 2, "player_1": ["A look: bonus 5"] * 5}

    def told_to(viewer, dealt, kept, named):
        own = [line for player, lines in looks.items() if viewer in (None, player) for line in lines]
        of_first, of_second = own[: 2 if viewer in (None, "player_0") else 0], [line for line in own if "5" in line]
        opening = [f"player_{seat} is dealt: bonus {bonus}" for seat, bonus in enumerate(dealt)]
        first = [*of_first, "player_0 names: number 3", f"player_0 keeps: cards {kept}", "The die shows 1"]
        return ["The game begins.", *opening, "The die shows 3", *first, named, *of_second, "The die shows 4"]

    assert story(game) == told_to(None, (2, 5), "2, 2", "player_1 name:0")
    assert story(game, "player_0") == told_to("player_0", (2, "hidden"), "2, 2", "player_1 has chosen.")
    assert story(game, "player_1") == told_to("player_1", ("hidden", 5), "2 hidden", "player_1 name:0")
    assert story(game, "somebody") == told_to("somebody", ("hidden",) * 2, "2 hidden", "player_1 has chosen.")


@pytest.mark.parametrize("rules", [ToldRace, HidingRace])
@pytest.mark.parametrize("viewer", ["player_0", "player_1"])
def test_no_line_tells_what_is_hidden_from_its_viewer(rules, viewer):
    seat, rules = int(viewer[-1]), told_race(rules)
    told = set()
    for bonus in range(1, 7):
        bonuses = [BONUSES[seat] if seat == own else bonus for own in range(2)]
        lines, page, texts = [], None, []
        for game in played(rules, bonuses):
            lines.append(tuple(story(game, viewer)))
            texts.append(RENDERER.text(game, viewer, 0))
            page = RENDERER.replay(game, viewer)
        frames = tuple((frame.turn, tuple(frame.lines)) for frame in page.frames[viewer])
        told.add((*lines, *texts, frames))
    assert len(told) == 1
    assert len({tuple(story(after_all(rules, (bonus, 5)))) for bonus in range(1, 7)}) == 6  # there is something hidden


@pytest.mark.parametrize("rules", [ToldRace, HidingRace, DiceRace])
@pytest.mark.parametrize("viewer", VIEWERS)
def test_lines_are_added_and_stay(rules, viewer):
    actions, before = [*ACTIONS, "name:6", SILENT, "name:1", SILENT, "name:2"], []
    for game in played(told_race(rules), BONUSES, actions):
        lines = story(game, viewer)
        assert lines[: len(before)] == before
        assert viewer is None or text_interface_of("dice-race").story(game, viewer) == lines
        assert story(game.clone(), viewer) == lines
        before = lines
    assert game.is_over and before[-1].endswith(" won.")


@pytest.mark.parametrize("rules", [ToldRace, HidingRace, DiceRace])
def test_the_captions_of_a_replay_are_the_story(rules):
    game = after_all(told_race(rules))
    frames = {**RENDERER.replay(game).frames, "somebody else": RENDERER.replay(game, "player_1").frames["player_1"]}
    for viewer, name in (
        (None, FULL_STATE),
        *((player, player) for player in game.players),
        ("player_1", "somebody else"),
    ):
        lines = [line for frame in frames[name] for line in frame.lines]
        whole = story(game, viewer)
        # What others have decided in secret is told with the viewer's next decision.
        assert lines == whole[: len(lines)] and (len(lines) == len(whole) or rules is HidingRace)
        assert len(lines) > 1


def test_who_decides_in_secret_is_not_counted():
    game = after_all(told_race(HidingRace))
    assert not any("has chosen" in line for line in story(game, "player_0"))
    assert sum(line.startswith("player_0 name:") for line in story(game, "player_0")) == 3
    assert [frame.turn for frame in RENDERER.replay(game, "player_1").frames["player_1"]] == [0, 1, 2]
    assert len(story(game)) == 1 + 3 + len(ACTIONS)


def test_without_events_actions_are_told():
    game = after_all(told_race(DiceRace), BONUSES, ACTIONS[:2])
    assert story(game, "player_0") == ["The game begins.", "player_0 name:3", "player_1 has chosen."]
    assert story(game) == ["The game begins.", "player_0 name:3", "player_1 name:0"]
    assert RENDERER.text(game, None, 0).startswith("turn: 2\n")


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Event("raises", {"player": "player_1", "amount": 3}), "player_1 raises: amount 3"),
        (Event("folds", {"player": "player_1"}), "player_1 folds"),
        (Event("no deal"), "no deal"),
        (
            Event("sum", {"all_in": True, "paid": None, "by": {"player_0": 2, "player_1": [1, 4]}, "lost": []}),
            "sum: all in yes; paid none; by player_0 2, player_1 1, 4; lost none",
        ),
        ({"player": "player_0", "raises": 3}, "player_0: raises 3"),
        ({"kind": "raises", "details": {"player": "player_0"}, "by": 3}, "player_0 raises: by 3"),
        ("player_0 raises by 3", "player_0 raises by 3"),
        ({"kind": "draws", "player": "player_1", "card": 3, "secret": "card"}, "player_1 draws: card hidden"),
        ({"kind": "draws", "card": 3, "secret": "card"}, "draws: card hidden"),
        (Event("knows", {"who": "player_1"}, secret="who"), "knows: who hidden"),
        (Event("is", {"player": "player_1"}, secret="player"), "is"),
        ({"kind": "looks", "player": "player_1", "private_to": "player_1"}, None),
        (Event("looks", private_to="player_0"), "looks"),
    ],
)
def test_an_event_in_words(event, line):
    assert event_lines([event], "player_0") == ([] if line is None else [line])


@pytest.mark.parametrize("wrong", [3, None, ["player_0", "raises"], {"details": 3, "kind": "raises"}])
def test_what_is_no_event_is_refused(called, tmp_path, wrong):
    class WrongRace(DiceRace):
        def events(self, states, i, action, outcomes=()):
            return [wrong]

    record = tmp_path / "game.json"
    save_record(after_all(told_race(WrongRace)).record(), record)
    said, out, _ = called("replay", record)
    assert said == f"romans: an event is a romans_env.core.event.Event, a text or an object, not {wrong!r}"
    assert "begins" not in out


@pytest.mark.parametrize("secret", ["cards", ["card"]])
def test_a_secret_is_one_of_the_details(secret):
    with pytest.raises(EventError) as refused:
        Event("draws", {"card": 3}, secret=secret)
    assert str(refused.value) == f"the secret of an event is one of its details, not {secret!r}: 'draws' has card"


def test_replay_at_the_command_line(called, tmp_path):
    game = after_all(told_race())
    record = tmp_path / "game.json"
    save_record(game.record(), record)
    for viewer, words in ((None, ()), ("player_1", ("--as", "player_1"))):
        status, out, err = called("replay", record, *words)
        assert status == 0, err
        assert "\n".join(story(game, viewer)) in out


def test_a_text_environment_tells_events():
    told_race()
    env = TextEnv("dice-race")
    first = env.reset(seed=3, seat=0)
    assert first.startswith("The game begins.\nplayer_0 is dealt: bonus ")
    assert "player_1 is dealt: bonus hidden\nThe die shows " in first
    texts = [first, *(env.choose(env.legal_actions[-1]) for _ in range(5))]
    assert env.is_over and env.num_played == 5
    lines = story(env.game, "player_0")
    assert all(line in "".join(texts) for line in lines) and "player_1 names: number" in texts[1]
    assert env.rules() == introduce("dice-race") and "and a multiple of it named." in env.rules()


def test_a_person_is_told_events_and_offered_what_there_is(called, monkeypatch):
    told_race()
    answers = iter(["?", "?crate", "name:0", *["2"] * 4, ""])
    monkeypatch.setattr("click.prompt", lambda *args, **kwargs: next(answers))
    status, out, err = called("play", "--game", "dice-race", "--seed", 1)
    assert status == 0, err
    beginning, _, rest = out.partition("? lists the commands.\n")
    assert (
        "Who has named the best numbers in ten turns wins.\n" in beginning
        and "and a multiple of it named." in beginning
    )
    assert "You are dealt: bonus " in rest and "random is dealt: bonus hidden" in rest
    assert "You name: number " in rest and "random names: number " in rest and "player_" not in out
    assert "card" not in re.sub("cards [0-9]", "", rest) and "?NAME" not in rest
    assert "This game has nothing to explain by name; ? lists the commands." in rest
    assert next(answers, None) is None


# -- the rules in words


def test_the_docstring_of_the_rules_is_their_text(called):
    told_race()
    text = inspect.getdoc(ToldRace)
    assert introduce("dice-race") == f"Told Race\n{text}\n"
    assert called("rules", "--game", "dice-race")[1].startswith(
        f"Told Race\n{text}\n\nromans play --game dice-race starts"
    )
    assert text_interface_of("dice-race").sentence == "Who has named the best numbers in ten turns wins."
    told_race(HidingRace)
    assert introduce("dice-race") == f"Told Race\n{HidingRace.__doc__}\n"


def test_a_docstring_that_is_inherited_says_nothing(called):
    told_race(DiceRace)
    assert introduce("dice-race") == "Told Race\n"
    _, _, err = called("rules", "--game", "dice-race")
    assert "Told Race has no printed rules: add a docstring to the class of its rules" in err


def test_the_browser_has_the_text_as_the_whole_rules():
    pytest.importorskip("markdown_it", reason="the browser needs the extra: pip install '.[serve]'")
    from romans_serve.web.rules_pages import rules_of_page

    told_race()
    shown = rules_of_page.__wrapped__("dice-race")
    assert shown["aim"] == [] and "<p>Who has named the best numbers in ten turns wins.</p>" in shown["html"]


@pytest.mark.parametrize("rules", [ToldRace, HidingRace, DiceRace])
def test_the_browser_tells_the_story(rules):
    served = ServedGame(told_race(rules), [Seat("one"), Seat("two")])
    while not served.game.is_over:
        served.act(served.game.legal_actions()[-1])
        for viewer, frame in served.frames.items():
            lines = story(served.game, viewer)
            assert list(frame.lines) == lines[: len(frame.lines)]
            assert len(frame.lines) == len(lines) or rules is HidingRace
    assert all(frame.lines[-1].endswith(" won.") for frame in served.frames.values())
