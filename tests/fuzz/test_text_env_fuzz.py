"""Whatever a language model says to the tools of a game, it is told something; nothing that cannot be played is."""

import random
from functools import partial

import pytest

from romans_agents import UnknownAgentError
from romans_agents.external.text_env import make_text_env
from romans_env.core.games import names
from romans_env.render.language import AnswerError, format_answer, plan_of
from tests.fuzz.mutations import ODD_VALUES, Judge, WrongSuccessError, mutate_json, mutate_text, nested
from tests.harness import STRUGGLE


def short(game):
    """The text environment of a game that ends soon."""
    return make_text_env(game, against="random", setup=STRUGGLE.short if game == STRUGGLE.name else None)


def answers_in_words(text):
    if not isinstance(text, str) or not text.strip():
        raise WrongSuccessError(f"a tool answers {text!r}")


def answers_of(tool, *arguments):
    answers_in_words(tool(*arguments))


@pytest.mark.parametrize("game", names())
def test_tools(game):
    rng, judge, env = random.Random(41), Judge(), short(game)
    env.reset(seed=1, seat=0)
    for number in range(100):
        if env.is_over:
            env.reset(seed=number, seat=number % 2)
        before, legal, refused = env.game.record()["actions"], env.legal_actions, env.num_refused
        said = rng.choice(legal)
        if number % 5:
            said = mutate_text(said, rng) if rng.random() < 0.6 else rng.choice([*ODD_VALUES, nested(5000)])
        plans = hasattr(env, "plan") and rng.random() < 0.3
        call, arguments = (env.plan, (said, [said, "axx"])) if plans else (env.choose, (said,))
        judge.tries(said, partial(answers_of, call, *arguments))
        played = env.game.record()["actions"]
        assert played[: len(before)] == before
        assert (len(played) > len(before)) == (env.num_refused == refused)
    assert not judge.complaints, judge.complaints


@pytest.mark.parametrize("game", names())
def test_answers(game):
    rng, judge, env = random.Random(42), Judge(AnswerError), short(game)
    env.reset(seed=2, seat=0)
    view = env.game.view(0)
    whole = format_answer([view.legal_actions()[0]], view)

    def is_legal(answer):
        chosen = plan_of(answer, view).actions
        if not chosen or chosen[0] not in view.legal_actions():
            raise WrongSuccessError(f"{chosen} is played")

    for _ in range(150):
        answer = mutate_text(whole, rng)
        if rng.random() < 0.5:
            answer = {"actions": mutate_json([view.action_name(action) for action in view.legal_actions()[:2]], rng)}
        judge.tries(answer, lambda answer=answer: is_legal(answer))
    judge.tries(whole, lambda: is_legal(whole))
    judge.check(150)


@pytest.mark.parametrize("game", names())
def test_starts(game):
    """A start that cannot be leaves the game before as it is."""
    rng, judge, env = random.Random(43), Judge(ValueError, TypeError, UnknownAgentError), short(game)
    start = {"seed": 3, "seat": 1, "against": ["random"], "setup": {"num_players": 2}}
    for _ in range(60):
        env.reset(seed=4, seat=0)
        before, chosen = env.game, rng.choice(list(start))
        value = rng.choice(ODD_VALUES)

        def starts(env=env, chosen=chosen, value=value, before=before):
            try:
                answers_in_words(env.reset(**{chosen: value}))
            except Exception:
                if env.game is not before:
                    raise WrongSuccessError("another game") from None
                raise

        judge.tries({chosen: value}, starts)
        if env.num_players != 2:
            env = short(game)
    judge.check(60)
