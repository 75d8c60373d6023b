"""``llm:MODEL``: a language model at a local stub server, with good answers and bad ones."""

import json
import os
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import romans_agents
from romans_agents import AgentError, SlowAgentError, UnknownAgentError
from romans_env import Game, Table
from romans_env.core.games import spec_of
from romans_env.render.language import describe, format_answer, introduce, parse, renaming_of
from romans_training.cli.evaluate import print_results
from romans_training.measure.evaluation import evaluate
from tests.harness import TOY, each_game
from tests.romans_go_home.stages import new_game
from tests.training.processes import wait_for


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
        answer: gives a text; or bytes, the whole body; or a number, the status of an error; or pairs of bytes that are
            sent as they are, and of seconds to wait then.
    """

    def __init__(self):
        self.asked, self.keys, self.answer, self.requests = [], [], first, 0
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def parse_request(self):
                stub.requests += 1
                return super().parse_request()

            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stub.asked.append(asked)
                stub.keys.append(self.headers.get("Authorization"))
                answer = stub.answer(asked)
                if isinstance(answer, list):
                    for piece, seconds in answer:
                        self.wfile.write(piece)
                        time.sleep(seconds)
                    self.close_connection = True
                    return
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
        # Whoever asked may be gone.
        self.server.daemon_threads, self.server.handle_error = True, lambda *_: None
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def agent(self, options="", game="romans-go-home"):
        return romans_agents.make(f"llm:stub,url={self.url}{options}", game=game)


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    made = Stub()
    yield made
    made.close()


def view():
    return new_game((2, 0, "standard"), seed=4).view(0)


def test_the_model_is_asked_in_words(stub, monkeypatch):
    assert stub.agent().act(view()) == view().legal_actions()[0]
    (asked,) = stub.asked
    assert asked["model"] == "stub" and "temperature" not in asked
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert asked["messages"][1]["content"] == describe(view())
    monkeypatch.setenv("MY_KEY", " secret\n")  # with the line end of a file
    stub.agent(",key=MY_KEY,temperature=0.5").act(view())
    assert stub.asked[1]["temperature"] == 0.5
    assert stub.keys == [None, "Bearer secret"]


def test_the_model_need_not_be_told_what_is_legal(stub):
    bad = ['{"actions": ["take:1"]}']
    stub.answer = lambda asked: bad.pop(0) if bad else format_answer(view().legal_actions()[:1], view())
    assert stub.agent(",legal=false").act(view()) == view().legal_actions()[0]
    question, again = (asked["messages"][-1]["content"] for asked in stub.asked)
    assert question == describe(view(), legal=False) != describe(view())
    assert again == "That cannot be played: take:1 is not legal. Answer again."


@each_game
@pytest.mark.usefixtures("toy")
def test_cards_may_have_invented_names(game, stub):
    view = game.new_game(3).view(0)
    view = view if view.legal_actions() else next(iter(game.positions(3))).view(0)
    agent = stub.agent(",renamed=5", game=game.name)
    if game is TOY:
        with pytest.raises(AgentError, match=r"the agent \S+ dice-race lists no names to replace"):
            agent.act(view)
        assert not stub.asked
        return
    bad = ['{"actions": ["nothing"]}', format_answer([10_000 % view.rules.num_actions], view)]
    stub.answer = lambda asked: bad.pop(0) if bad else first(asked)
    assert agent.act(view) == view.legal_actions()[0]
    texts = [message["content"] for message in stub.asked[0]["messages"]]
    assert texts == [introduce(game.name, renamed=5), describe(view, renamed=5)]
    again = stub.asked[1]["messages"][-1]["content"]
    hidden = ", ".join(renaming_of(view.rules, 5).hide(view.action_name(action)) for action in view.legal_actions())
    assert again == f"That cannot be played: there is no action 'nothing'; legal are {hidden}. Answer again."


def test_an_answer_has_no_more_tokens_than_it_may(stub):
    stub.agent(",tokens=50").act(view())
    stub.agent().act(view())
    assert stub.asked[0]["max_tokens"] == 50 and "max_tokens" not in stub.asked[1]
    with pytest.raises(UnknownAgentError, match="tokens is at least 1, not 0"):
        stub.agent(",tokens=0")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "least"), [("romans-go-home", 15), ("roma", 20)])
def test_it_plays_whole_games(stub, game, least):
    rules, rival = spec_of(game).make_rules(), romans_agents.make("random", game=game)
    assert evaluate(stub.agent(game=game), [rival], rules, num_deals=1).num_games == 2
    assert len(stub.asked) > least


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


@each_game
@pytest.mark.usefixtures("toy")
def test_the_name_may_be_copied_with_the_colon_of_its_line(game, stub):
    rules = game.rules()
    played = Game(rules, seed=3)
    view = played.view(played.seat_to_act)
    rows = [line[2:] for line in describe(view).splitlines() if line.startswith("- ")]
    names = [row.partition(": ")[0] + ":" * (": " in row) for row in rows]
    assert [parse(json.dumps({"actions": [name]}), view) for name in names] == view.legal_actions()
    stub.answer = lambda asked: json.dumps({"actions": [names[-1]]})
    assert stub.agent(game=game.name).act(view) == view.legal_actions()[-1] and len(stub.asked) == 1


def asked_by(stub, answers):
    """Have the stub give each question its answer of a list, and then `first`."""
    stub.answer = lambda asked: answers.pop(0) if answers else first(asked)


def test_a_game_without_an_answer_is_lost_and_the_evaluation_goes_on(stub, capsys):
    """As in tournaments: the other games count, too."""
    rules, records = Table(3, 0), []
    asked_by(stub, ["no idea", "no idea"])
    others = [romans_agents.make("random"), romans_agents.make("greedy")]
    found = evaluate(stub.agent(",tries=2"), others, rules, num_deals=2, on_record=records.append)
    (lost,) = found.lost
    assert (lost.kind, lost.games, found.num_games, len(records)) == ("error", 1, 6, 6)
    assert lost.message.startswith("named no legal action in 2 answers")
    over = [record for record in records if record["result"] is not None]
    wins = [
        record
        for record in over
        for player, name in record["agents"].items()
        if name.startswith("llm") and record["result"]["winners"] == [player]
    ]
    assert len(over) == 5 and found.win_rate.mean == pytest.approx(len(wins) / 6)
    assert found.as_json()["lost"] == [lost._asdict()]
    print_results("llm:stub", [found])
    said = " ".join(capsys.readouterr().out.split())
    assert f"{lost.agent} lost 1 of 6 games by an error, first: named no legal action in 2 answers" in said


@pytest.mark.parametrize(("table", "share"), [(Table(2, 0), 1.0), (Table(4, 0), 1 / 3)])
def test_the_other_seats_share_the_win_of_a_game_without_an_answer(stub, table, share):
    stub.answer = lambda asked: "no idea"
    others = [stub.agent(",tries=1"), *[romans_agents.make("random")] * (table.num_players - 2)]
    found = evaluate(romans_agents.make("random"), others, table, num_deals=1)
    n = table.num_players
    assert [one.games for one in found.lost] == [n]
    assert found.mean_return.mean == pytest.approx((n * share - 1) / (n - 1))
    assert (found.win_rate.mean, found.draw_rate.mean) == (float(share == 1.0), float(share < 1.0))


def test_a_server_that_does_not_answer_ends_an_evaluation(stub):
    stub.answer = lambda asked: 503
    with pytest.raises(AgentError, match="answers with status 503"):
        evaluate(stub.agent(), [romans_agents.make("random")], Table(2, 0), num_deals=2)


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        ("no idea", AgentError, "named no legal action in 2 answers; in the last one: there is no JSON object"),
        (None, AgentError, "named no legal action in 2 answers; in the last one: there is no JSON object"),
        (503, AgentError, "answers with status 503"),
        (b"not json", AgentError, "gave no chat completion"),
        (b'{"choices": []}', AgentError, "gave no chat completion"),
        ([(b"\x00\xff garbage\r\n\r\n", 0)], AgentError, "sends no valid HTTP response: RemoteProtocolError: illegal"),
        ([(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 50_000, 9)], AgentError, "sends no valid HTTP response"),
        ([(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n", 0)], AgentError, "no valid HTTP response"),
        ([(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabc", 0)], AgentError, "RemoteProtocolError: peer closed"),
        ([(b"", 0)], AgentError, "RemoteProtocolError: Server disconnected"),
        ([(b"HTTP/1.1 200\r\nContent-Encoding: gzip\r\n\r\n", 9)], AgentError, "sends a compressed response"),
        (b"[" * 200_000, AgentError, "gave no chat completion: ValueError: it is nested too deeply"),
        (b" " * (2**24 + 1), AgentError, "sends more than 16 MB"),
    ],
    ids=range(13),
)
def test_a_fault_is_one_line(stub, answer, kind, message):
    stub.answer = lambda asked: answer
    with pytest.raises(kind) as raised:
        stub.agent(",tries=2").act(view())
    assert message in str(raised.value) and "\n" not in str(raised.value)


def dripping(start, piece):
    return [(start, 0.0), *[(piece, 0.2)] * 40]


@pytest.mark.parametrize(
    "answer",
    [
        lambda: time.sleep(3) or "",
        lambda: dripping(b"", b"H"),
        lambda: dripping(b"HTTP/1.1 200 OK\r\n", b"X: a\r\n"),
        lambda: dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", b" "),
        lambda: dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["silent", "status", "headers", "body", "continue"],
)
def test_a_slow_server_has_so_much_time_and_no_more(stub, answer):
    stub.answer = lambda asked: answer()
    started = time.monotonic()
    with pytest.raises(SlowAgentError, match=r"named no legal action in 0\.3 s"):
        stub.agent(",seconds=0.3").act(view())
    assert time.monotonic() - started < 2.5
    # The thread that waits for it ends, too.
    wait_for(lambda: all(thread.name != "endpoint" for thread in threading.enumerate()), 5)


def test_no_server(stub):
    stub.server.server_close()
    with pytest.raises(AgentError, match="does not answer: "):
        romans_agents.make("llm:stub,url=http://127.0.0.1:9").act(view())


def test_nothing_is_sent_after_the_time_is_over(stub, monkeypatch):
    # Resolving a name has no limit of its own.
    found = socket.getaddrinfo

    def slow(*place, **options):
        time.sleep(0.6)
        return found(*place, **options)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    stub.url = stub.url.replace("127.0.0.1", "localhost")
    with pytest.raises(SlowAgentError):
        stub.agent(",seconds=0.2").act(view())
    time.sleep(1.0)
    assert stub.requests == 0


def test_a_redirect_takes_the_key_nowhere(stub, monkeypatch):
    monkeypatch.setenv("MY_KEY", "secret")
    other = Stub()
    redirects = [
        (status, place)
        for status in (301, 302, 303, 307, 308)
        for place in (f"{other.url}/stolen", "/v1/elsewhere", "file:///etc/hostname", "http://[::/")
    ]
    try:
        for status, place in redirects:
            head = f"HTTP/1.1 {status} Moved\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n".encode()
            stub.answer = lambda asked, head=head: [(head, 0)]
            with pytest.raises(
                AgentError, match="answers with a redirect, which is not followed: name the final address"
            ):
                stub.agent(",key=MY_KEY").act(view())
        assert len(stub.keys) == len(redirects)
        assert other.requests == 0
    finally:
        other.close()


def test_the_usual_key_is_sent_to_https_alone(stub, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    stub.answer = lambda asked: 401
    for options, message in (
        ("", "status 401; no key was sent, as the URL is not https: name its variable, as in key="),
        (",key=NO_SUCH_KEY", "status 401; no key was sent, as its environment variable is not set"),
        (",key=OPENAI_API_KEY", "status 401"),
    ):
        with pytest.raises(AgentError) as raised:
            stub.agent(options).act(view())
        assert str(raised.value).endswith(message) or message in str(raised.value)
    assert stub.keys == [None, None, "Bearer secret"]
    encrypted = romans_agents.make("llm:m,url=https://127.0.0.1:9/v1")
    assert encrypted._authorization() == {"Authorization": "Bearer secret"}


def test_a_key_that_no_header_can_hold_is_not_quoted(stub, monkeypatch):
    for key in ("sk-one\nsk-two", "sk-ключ", "sk-\x00", "sk-one\r\nX-Other: 1"):
        monkeypatch.setattr("os.environ", {**os.environ, "MY_KEY": key})
        with pytest.raises(AgentError, match="variable does not hold an API key: it has odd characters") as raised:
            stub.agent(",key=MY_KEY").act(view())
        assert "sk-" not in str(raised.value) and not stub.asked
