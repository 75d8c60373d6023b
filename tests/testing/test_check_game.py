"""`check_game` finds what is wrong with a game: every check is shown to fail by a game with one fault."""

import dataclasses
import itertools
import random

import numpy as np
import pytest

from romans_env import Game, GameSpec, replay
from romans_env.core import games
from romans_env.core.base_rules import BaseRules
from romans_env.core.protocol import CHANCE
from romans_env.render.plain import RENDERER
from romans_env.roma.rules import Roma
from romans_env.roma.spec import SPEC as ROMA
from romans_env.testing import check_game, game_check
from romans_env.testing.game_check import CHECKS
from tests.harness import each_game
from tests.toy.rules import STATE, DiceRace, DiceSetup

COUNT = itertools.count()
FAULTS = []


def fault(check, **parts):
    """Note a game with a fault that a check finds; the spec has further parts."""

    def noted(rules):
        FAULTS.append(pytest.param(rules, check, parts, id=f"{check}: {rules.__name__}"))
        return rules

    return noted


def spec_of(rules, **parts):
    return GameSpec(**{"name": DiceRace.name, "title": "Dice Race", "rules": rules, **parts})


def names_of(findings):
    return [finding.check for finding in findings]


# -- decisions


@fault("legal actions")
class NoActionIsLegal(DiceRace):
    def legal_actions(self, states, i):
        return [] if states["turn"][i] == 3 else super().legal_actions(states, i)


@fault("legal actions")
class OneActionIsLegal(DiceRace):
    def legal_actions(self, states, i):
        return super().legal_actions(states, i)[: 1 if states["turn"][i] == 2 else None]


@fault("legal actions")
class AnActionOutsideOfTheSpace(DiceRace):
    def legal_actions(self, states, i):
        return [*super().legal_actions(states, i), 100] if states["die"][i] else []


@fault("legal actions")
class NotAscending(DiceRace):
    def legal_actions(self, states, i):
        return super().legal_actions(states, i)[::-1]


@fault("legal actions")
class IsLegalDisagrees(DiceRace):
    def is_legal(self, states, i, action):
        return 0 <= action < 50 and super().is_legal(states, i, action)


@fault("legal actions")
class AMaskForAll(DiceRace):
    def observe(self, states, i, seat, observation, mask):
        super().observe(states, i, seat, observation, mask)
        mask[:1] = 1


@fault("legal actions")
class ASeatThatIsNone(DiceRace):
    def seat_to_act(self, states, i):
        seat = super().seat_to_act(states, i)
        return 2 if seat == 1 else seat


@fault("legal actions")
class ActionsAfterTheEnd(DiceRace):
    def legal_actions(self, states, i):
        return [0, 1] if states["over"][i] else super().legal_actions(states, i)


@fault("illegal actions")
class NothingIsRefused(DiceRace):
    def act(self, states, i, action):
        return super().act(states, i, action if self.is_legal(states, i, action) else 0)


@fault("illegal actions")
class RefusedTooLate(DiceRace):
    def act(self, states, i, action):
        states["score"][i] += not self.is_legal(states, i, action)
        return super().act(states, i, action)


@fault("end")
class LongerThanItSays(DiceRace):
    max_decisions = 4


@fault("end")
class DoesNotEndEarly(DiceRace):
    def act(self, states, i, action):
        answer = super().act(states, i, action)
        states["over"][i] = states["turn"][i] == self.setup.turns
        return answer if answer < CHANCE or not states["over"][i] else -1

    def end_early(self, states, i):
        pass


@fault("action names")
class TwoOfAName(DiceRace):
    action_names = (*DiceRace.action_names[:-1], "name:0")


@fault("action names")
class ANameWithABlank(DiceRace):
    action_names = tuple(name.replace(":", " ") for name in DiceRace.action_names)


@fault("play")
class ActRaises(DiceRace):
    def act(self, states, i, action):
        if states["turn"][i] == 5:
            raise KeyError("turn")
        return super().act(states, i, action)


# -- scores


@fault("returns")
class ReturnsThatDoNotAddUp(DiceRace):
    def game_return(self, states, i, seat):
        return max(0.0, super().game_return(states, i, seat)) if states["over"][i] else 0.0


@fault("returns")
class ReturnsAboveOne(DiceRace):
    def game_return(self, states, i, seat):
        return 2 * super().game_return(states, i, seat)


@fault("returns")
class ReturnsOfTheLosers(DiceRace):
    def game_return(self, states, i, seat):
        return -super().game_return(states, i, seat)


@fault("returns")
class WinnersThatAreSeats(DiceRace):
    def winners(self, states, i):
        return [int(player[-1]) for player in super().winners(states, i)]

    def game_return(self, states, i, seat):
        return 1.0 if seat == 0 else -1.0


@fault("points")
class PointsThatDisagree(DiceRace):
    def points_of(self, states):
        return states["score"].astype(np.int64)[:, ::-1]


@fault("points")
class PointsThatAreFractions(DiceRace):
    def points(self, states, i, seat):
        return super().points(states, i, seat) / 2


# -- what is shown


@fault("observations")
class OutOfBounds(DiceRace):
    def observe(self, states, i, seat, observation, mask):
        super().observe(states, i, seat, observation, mask)
        observation[3] -= 2


@fault("observations")
class AGlobalStateOutOfBounds(DiceRace):
    global_state_high = np.full(6, 3, dtype=np.int16)


@fault("observations")
class AnotherObservationEachTime(DiceRace):
    def observe(self, states, i, seat, observation, mask):
        super().observe(states, i, seat, observation, mask)
        observation[4] = next(COUNT) % 7


@fault("views")
class TheRivalsBonusIsObserved(DiceRace):
    def observe(self, states, i, seat, observation, mask):
        super().observe(states, i, seat, observation, mask)
        observation[4] = states["bonus"][i, 1 - seat]


@fault("leaks")
class LegalActionsFollowWhatIsHidden(DiceRace):
    def legal_actions(self, states, i):
        rival = states["bonus"][i, 1 - int(states["turn"][i]) % 2]
        return super().legal_actions(states, i)[: -1 if rival > 3 else None]


@fault("views")
class APositionThatIsNoJson(DiceRace):
    def position(self, states, i):
        return {**super().position(states, i), "turn": states["turn"][i]}


@fault("views")
class LookingChangesTheGame(DiceRace):
    def redacted_for(self, states, i, seat):
        states["score"][i] += 1
        return super().redacted_for(states, i, seat)


@fault("leaks")
class TheKindOfADecisionFollowsWhatIsHidden(DiceRace):
    def decision_kind(self, states, i):
        kind = super().decision_kind(states, i)
        return f"{kind}-{states['bonus'][i].max()}" if kind else kind


@fault(
    "leaks",
    renderer=dataclasses.replace(RENDERER, text=lambda game, viewer=None, since=None: str(game.states["bonus"])),
)
class ATextOfWhatIsHidden(DiceRace):
    pass


class EvenBonusesAreKnown(DiceRace):
    """Everything agrees that a seat knows whether the rival's bonus is even, but by the rules it does not."""

    def redacted_for(self, states, i, seat):
        private = states[i : i + 1].copy()
        private["bonus"][0, 1 - seat] = 2 - private["bonus"][0, 1 - seat] % 2
        return private

    def determinize(self, private, seat, rng):
        states = private.copy()
        states["bonus"][0, 1 - seat] += 2 * rng.integers(0, 3)
        return states


@fault("leaks")
class OnlyTheGamesOwnScramblingShowsIt(EvenBonusesAreKnown):
    def scrambled(self, states, seat, rng):
        other = states.copy()
        other["bonus"][0, 1 - seat] = rng.integers(1, 7)
        return other


# -- determinizations


@fault("determinizations")
class NothingIsRedacted(DiceRace):
    def redacted_for(self, states, i, seat):
        return states[i : i + 1].copy()


@fault("determinizations")
class WhatIsKnownIsLost(DiceRace):
    def determinize(self, private, seat, rng):
        states = super().determinize(private, seat, rng)
        states["bonus"][0, seat] = rng.integers(1, 7)
        return states


@fault("determinizations")
class AnotherGenerator(DiceRace):
    def determinize(self, private, seat, rng):
        return super().determinize(private, seat, np.random.default_rng(random.randrange(2**31)))


@fault("determinizations")
class TheViewIsChanged(DiceRace):
    def determinize(self, private, seat, rng):
        private["bonus"][0, 1 - seat] = rng.integers(1, 7)
        return private.copy()


@fault("determinizations")
class OtherLegalActions(DiceRace):
    def legal_actions(self, states, i):
        hidden = not states["bonus"][i].all()
        return super().legal_actions(states, i)[: None if hidden or states["bonus"][i].sum() < 7 else -1]


@fault("hidden information")
class AlwaysTheSame(DiceRace):
    def determinize(self, private, seat, rng):
        states = super().determinize(private, seat, rng)
        states["bonus"][0, 1 - seat] = 1
        return states


@fault("hidden information")
class WhatIsUnknownStays(DiceRace):
    def new_states(self, num_games):
        return np.zeros(num_games, dtype=[*STATE.descr, ("secret", "i2")])

    def begin(self, states, i):
        states[i] = np.zeros((), dtype=states.dtype)
        states["secret"][i] = 3
        return CHANCE

    def redacted_for(self, states, i, seat):
        private = super().redacted_for(states, i, seat)
        private["secret"] = -1
        return private


@fault("determinizations")
class NothingIsDealt(DiceRace):
    def determinize(self, private, seat, rng):
        return private.copy()


# -- chance


@fault("chance events")
class AWeightOfZero(DiceRace):
    def chance_outcomes(self, states, i):
        return [*super().chance_outcomes(states, i)[:-1], (6, 0)]


@fault("chance events")
class OneKeyForAll(DiceRace):
    def chance_key(self, states, i):
        return 7


@fault("chance events")
class AnOutcomeTwice(DiceRace):
    def chance_outcomes(self, states, i):
        return [(1, 1), *super().chance_outcomes(states, i)]


@fault("chance events")
class LoadedDice(DiceRace):
    def draw_outcome(self, states, i, words, k):
        return max(super().draw_outcome(states, i, words, k), 2)


@fault("chance events")
class AnythingIsAnOutcome(DiceRace):
    def act_chance(self, states, i, outcome):
        return super().act_chance(states, i, outcome if outcome in range(1, 7) else 1)


@fault("seeds")
class SeedsAreIgnored(DiceRace):
    def draw_outcome(self, states, i, words, k):
        return random.randint(1, 6)


@fault("deals")
class SeedsAreIgnoredAfterAPartOfADeal(DiceRace):
    def outcomes_of(self, deal):
        return (*super().outcomes_of(deal), *[3] * (12 - len(deal["outcomes"])))


@fault("deals")
class ADealThatIsNotKept(DiceRace):
    def deal_of(self, outcomes):
        return {"outcomes": sorted(outcomes)}


# -- records of states, copies, records of games


@fault("states")
class SomethingIsInTheRules(DiceRace):
    played = 0

    def act(self, states, i, action):
        type(self).played += 1
        states["score"][i, 0] += type(self).played % 2
        return super().act(states, i, action)


@fault("states")
class AGapInTheRecord(DiceRace):
    def new_states(self, num_games):
        return np.zeros(num_games, dtype=np.dtype([("odd", "i1"), *STATE.descr], align=True))

    def begin(self, states, i):
        states[i] = np.zeros((), dtype=states.dtype)
        return CHANCE


class OfItsOwn(DiceRace):
    """Draws from a generator of the rules."""

    def __init__(self, setup=None):
        super().__init__(setup)
        self.random = random.Random(4)

    def draw_outcome(self, states, i, words, k):
        return self.random.randint(1, 6)


@fault("copies")
class CopiesWithChanceOfTheirOwn(OfItsOwn):
    pass


@fault("records")
class TheRecordLosesTheSetup(DiceRace):
    @classmethod
    def from_json(cls, setup):
        if not isinstance(setup, dict) or set(setup) != {"turns"}:
            raise ValueError("no setup")
        made = cls(DiceSetup(setup["turns"]))
        made.act = lambda states, i, action: DiceRace.act(made, states, i, (action + 1) % 2)
        return made


@fault("setup")
class AnythingIsASetup(DiceRace):
    @classmethod
    def from_json(cls, setup):
        return cls()


@fault("setup")
class NoSettings(DiceRace):
    @classmethod
    def from_settings(cls, **settings):
        raise RuntimeError("no such table")


# -- members, and determinizations of a deal


@fault("fair determinizations")
class TheSameBonusTooOften(DiceRace):
    """Possible determinizations, that agree with the view and vary."""

    def determinize(self, private, seat, rng):
        states = super().determinize(private, seat, rng)
        if rng.random() < 0.3:
            states["bonus"][0, 1 - seat] = states["bonus"][0, seat]
        return states


@fault("fair determinizations")
class ALoadedDie(DiceRace):
    """Chance has other weights than determinizations."""

    def chance_outcomes(self, states, i):
        return [(face, 1 + (face == 6)) for face in range(1, 7)]


@fault("chance events")
class ActGivesNothing(DiceRace):
    def act(self, states, i, action):
        super().act(states, i, action)


fault("members")(
    type(
        "NoPrivateView", (BaseRules,), {name: value for name, value in vars(DiceRace).items() if name != "redacted_for"}
    )
)


@fault("members")
class NoNames(DiceRace):
    action_names = property()


@fault("members")
class BoundsOfOtherSizes(DiceRace):
    observation_low = DiceRace.observation_low[1:]


# -- compiled steps, interfaces


class ObservesOtherwise(Roma):
    """The step functions observe what Roma's rules do."""

    def observe(self, states, i, seat, observation, mask):
        super().observe(states, i, seat, observation, mask)
        observation[0] ^= 1


class Seldom(DiceRace):
    """The game of seed 9 has a fault at its end."""

    def winners(self, states, i):
        bonus = Game(DiceRace(), seed=9).states["bonus"][0]
        return [] if states["bonus"][i].tolist() == bonus.tolist() else super().winners(states, i)


# -- the tests


def test_games_without_faults_have_no_findings():
    assert check_game(spec_of(DiceRace)) == []
    assert check_game(spec_of(DiceRace), setups=[{"turns": 2}, {"turns": 3}], seeds=[7]) == []


def test_a_game_is_forgotten_after_the_check():
    before = games.names()
    check_game(spec_of(DiceRace), seeds=[1])
    assert games.names() == before


@each_game
def test_the_games_of_the_library_pass(game, monkeypatch):
    """In a quarter of the positions; tests/release looks at all."""
    monkeypatch.setattr(game_check, "POSITIONS", 10)
    assert check_game(game.spec, seeds=[3]) == []


def test_a_fault_of_one_game_in_some_is_found_without_being_asked_for():
    assert names_of(check_game(spec_of(Seldom), seeds=range(2))) == []
    (finding,) = check_game(spec_of(Seldom))
    assert finding.check == "returns" and finding.seed > 1


def test_after_the_first_games_time_counts(monkeypatch):
    lengths, real = [], game_check._length_of
    monkeypatch.setattr(game_check, "_length_of", lambda rules, seed: lengths.append(seed) or real(rules, seed))
    assert check_game(spec_of(DiceRace), seconds=0.0) == [] and set(lengths) == {0, 1}


@pytest.mark.parametrize(("rules", "check", "parts"), FAULTS)
def test_a_fault_is_found(rules, check, parts):
    findings = check_game(spec_of(rules, **parts), seeds=[1])
    if check not in names_of(findings):  # what one game of two shows
        findings = check_game(spec_of(rules, **parts), seeds=[2])
    assert check in names_of(findings), [str(finding) for finding in findings]
    for finding in findings:
        assert "\n" not in str(finding) and str(finding).startswith(finding.check)
    (found,) = (finding for finding in findings if finding.check == check)
    if found.record is not None and check not in ("play", "records"):
        assert found.seed in (1, 2) and len(found.record["actions"]) == found.decision


def test_what_is_hidden_is_told():
    hidden = set()
    check_game(spec_of(DiceRace), seeds=[1], hidden=hidden)
    assert hidden == {"bonus"}


def test_every_check_has_a_fault_that_it_finds():
    found = {param.values[1] for param in FAULTS}
    assert set(CHECKS) - found == {"compiled steps", "pettingzoo", "gymnasium"}
    assert len(FAULTS) >= 40


def test_step_functions_that_play_otherwise_are_found(own_games):
    games.unregister("roma")
    findings = check_game(dataclasses.replace(ROMA, rules=ObservesOtherwise, env_id=None, env_module=None), seeds=[])
    assert "compiled steps" in names_of(findings)


def test_a_record_of_a_finding_replays_up_to_it(own_games):
    games.register(spec_of(NoActionIsLegal))
    (finding,) = check_game(games.spec_of("dice-race"))
    assert "no action is legal, and the game goes on: player_1 must decide 'name'" in str(finding)
    assert (finding.seed, finding.decision) == (0, 3)
    assert len(replay(finding.record).actions) == 3
