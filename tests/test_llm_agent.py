"""``llm:MODEL``: a language model at a local stub server, with good answers and bad ones."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import romans_agents
from romans_agents import AgentError, SlowAgentError, UnknownAgentError
from romans_agents.arena import Arena
from romans_agents.permission import FileNotAllowedError
from romans_agents.referee import Referee
from romans_env import Table
from romans_env.games import spec_of
from romans_env.render.language import describe
from romans_training.evaluation import evaluate
from tests.tools import new_game


def first(asked):
    """The answer of a model that takes the first legal action."""
    legal = [line[2:].partition(": ")[0] for line in question_of(asked).splitlines() if line.startswith("- ")]
    return f'I take the first.\n{{"actions": ["{legal[0]}"]}}'


def question_of(asked):
    return next(message["content"] for message in asked["messages"] if message["role"] == "user")


class Stub:
    """A server whose model answers by a function of what it is asked.

    Attributes:
        asked: the requests.
        answer: gives a text; or bytes, the whole body; or a number, the status of an error.
    """

    def __init__(self):
        self.asked, self.keys, self.answer = [], [], first
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stub.asked.append(asked)
                stub.keys.append(self.headers.get("Authorization"))
                answer = stub.answer(asked)
                if isinstance(answer, int):
                    self.send_error(answer)
                    return
                if not isinstance(answer, bytes):
                    answer = json.dumps({"choices": [{"message": {"role": "assistant", "content": answer}}]}).encode()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def agent(self, options="", game="romans-go-home"):
        return romans_agents.make(f"llm:stub,url={self.url}{options}", game=game)


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    made = Stub()
    yield made
    made.server.shutdown()
    made.server.server_close()


def view():
    return new_game((2, 0, "standard"), seed=4).view(0)


def test_the_model_is_asked_in_words(stub, monkeypatch):
    assert stub.agent().act(view()) == view().legal_actions()[0]
    (asked,) = stub.asked
    assert asked["model"] == "stub" and "temperature" not in asked
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert asked["messages"][1]["content"] == describe(view())
    monkeypatch.setenv("MY_KEY", "secret")
    stub.agent(",key=MY_KEY,temperature=0.5").act(view())
    assert stub.asked[1]["temperature"] == 0.5
    assert stub.keys == [None, "Bearer secret"]


@pytest.mark.slow
def test_it_plays_whole_games(stub):
    result = evaluate(stub.agent(), [romans_agents.make("greedy")], Table(2, 0), num_deals=2)
    assert result.num_games == 4


@pytest.mark.slow
def test_it_plays_a_game_with_chance(stub):
    game = spec_of("roma").make_rules()
    evaluate(stub.agent(game="roma"), [romans_agents.make("random", game="roma")], game, num_deals=1)
    assert len(stub.asked) > 20


def test_a_plan_is_asked_for_once(stub):
    def plan(asked):
        hand = view().position()["clans"]["player_0"]["hand"]
        return json.dumps({"actions": [f"discard:{hand[0]}", *(f"place:{card}" for card in hand[1:6])]})

    stub.answer = plan
    game, agent = new_game((2, 0, "standard"), seed=4), stub.agent()
    while game.seat_to_act == 0:
        game.act(agent.act(game.view(0)))
    assert len(stub.asked) == 1
    again = new_game((2, 0, "standard"), seed=4)
    agent.act(again.view(0))
    agent.seed(1)  # forgets the plan
    stub.answer = first
    again.act(agent.act(again.view(0)))
    agent.act(again.view(0))
    assert len(stub.asked) == 4


def test_a_bad_answer_is_answered_with_why_and_asked_again(stub):
    bad = ["place:axx", '{"actions": ["take:1"]}', '{"actions": [']
    stub.answer = lambda asked: bad.pop(0) if bad else first(asked)
    assert stub.agent().act(view()) == view().legal_actions()[0]
    whys = [asked["messages"][-1]["content"] for asked in stub.asked[1:]]
    assert "there is no JSON object" in whys[0]
    assert "take:1 is not legal" in whys[1]
    assert "is broken" in whys[2]
    assert [message["role"] for message in stub.asked[3]["messages"]] == ["system", "user", *["assistant", "user"] * 3]


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        ("no idea", AgentError, "named no legal action in 2 answers; in the last one: there is no JSON object"),
        (None, AgentError, "named no legal action in 2 answers; in the last one: there is no JSON object"),
        (503, AgentError, "answered with status 503"),
        (b"not json", AgentError, "gave no chat completion"),
        (b'{"choices": []}', AgentError, "gave no chat completion"),
    ],
)
def test_a_fault_is_one_line(stub, answer, kind, message):
    stub.answer = lambda asked: answer
    with pytest.raises(kind) as raised:
        stub.agent(",tries=2").act(view())
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_a_silent_server_does_not_hang(stub):
    stub.answer = lambda asked: time.sleep(3) or ""
    started = time.monotonic()
    with pytest.raises(SlowAgentError, match=r"named no legal action in 0\.2 s"):
        stub.agent(",seconds=0.2").act(view())
    assert time.monotonic() - started < 2.5


def test_no_server(stub):
    stub.server.server_close()
    with pytest.raises(AgentError, match="does not answer: "):
        romans_agents.make("llm:stub,url=http://127.0.0.1:9").act(view())


@pytest.mark.slow
def test_every_fault_of_a_model_is_in_the_report(stub):
    answers = iter(["prose", '{"actions": [', '{"actions": ["take:9"]}', None] * 10_000)
    stub.answer = lambda asked: next(answers)
    rules = spec_of("romans-go-home").make_rules()
    states = rules.new_states(3)
    for i in range(3):
        rules.deal_from_seed(states, i, i)
    referee = Referee()
    model, greedy = stub.agent(",tries=3"), romans_agents.make("greedy")
    list(Arena(rules, states, [[model, greedy]] * 3, range(3), referee).play())
    assert [(fault.kind, fault.seat) for fault in referee.faults] == [("error", 0)] * 3
    assert all(fault.message.startswith("named no legal action in 3 answers") for fault in referee.faults)


def test_no_server_is_asked_without_permission(stub):
    for files in ("none", "policies"):
        with pytest.raises(FileNotAllowedError, match="a server, which would be asked with your key"):
            romans_agents.make(f"llm:stub,url={stub.url}", files)
    assert not stub.asked


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "needs the option 'model'"),
        ("m,url=ftp://x", "url begins with http:// or https://, not ftp://x"),
        ("m,tries=0", "tries is at least 1, not 0"),
        ("m,seconds=0", "seconds is a number above 0, not 0.0"),
    ],
)
def test_a_spec_that_cannot_be_played_is_refused(options, message):
    with pytest.raises(UnknownAgentError) as refused:
        romans_agents.make(f"llm:{options}")
    assert message in str(refused.value)
