"""``llm:MODEL``: a language model plays, over any endpoint that speaks OpenAI's chat completions."""

from __future__ import annotations

import json
import math
import os
import time
import urllib.error
import urllib.request
from collections import OrderedDict
from typing import Any

from romans_agents.base import Agent
from romans_agents.errors import AgentError, SlowAgentError
from romans_agents.permission import require
from romans_env import View
from romans_env.errors import in_one_line
from romans_env.files import json_of
from romans_env.render.language import AnswerError, describe, introduce, plan_of

_MOST_BYTES = 2**24
_MOST_PLANS = 4096


class LLMAgent(Agent):
    """Asks a language model for every decision, in words; a plan of several actions is played without asking again.

    An answer that names no legal action is answered with why, and the question is asked again.

    Args:
        model: the name of the model, as the server knows it.
        url: the address of the API, to which ``/chat/completions`` is added.
        tries: how many answers a decision may take.
        seconds: the time limit of a decision, all answers together.
        temperature: of the model; None for the server's default.
        key: the name of an environment variable that holds the API key; none is sent where it is not set.

    Raises:
        ValueError: an option out of range.
        romans_agents.permission.FileNotAllowedError: nothing but registered agents or policy files may be used here.
    """

    name = "llm"
    searches = True

    def __init__(
        self,
        model: str,
        url: str = "http://127.0.0.1:11434/v1",
        tries: int = 4,
        seconds: float = 120.0,
        temperature: float | None = None,
        key: str = "OPENAI_API_KEY",
    ):
        require("code", url, "a server, which would be asked with your key")
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"url begins with http:// or https://, not {in_one_line(url, 50)}")
        if tries < 1:
            raise ValueError(f"tries is at least 1, not {tries}")
        if not 0.0 < seconds < math.inf:
            raise ValueError(f"seconds is a number above 0, not {seconds}")
        self.model, self.url, self.tries, self.seconds = model, url.rstrip("/"), tries, seconds
        self.temperature, self._key = temperature, key
        self._plans: OrderedDict[tuple[str, int, bytes], int] = OrderedDict()

    def seed(self, seed: int) -> None:
        """Forget all plans. A model's own chance is the server's."""
        self._plans.clear()

    def act(self, view: View) -> int:
        """The model's action.

        Raises:
            romans_agents.SlowAgentError: no legal action within the time limit.
            romans_agents.AgentError: no legal action in as many answers as may be, or a server that does not answer.
        """
        planned = self._plans.pop(self._place(view, view.states.tobytes()), None)
        if planned is not None and planned in view.legal_actions():
            return planned
        end = time.monotonic() + self.seconds
        messages = [
            {"role": "system", "content": introduce(view.rules.name)},
            {"role": "user", "content": describe(view)},
        ]
        why = ""
        for _ in range(self.tries):
            answer = self._answer(messages, end)
            try:
                plan = plan_of(answer, view)
            except AnswerError as error:
                why = in_one_line(error, 300)
                messages += [
                    {"role": "assistant", "content": answer},
                    {"role": "user", "content": f"That cannot be played: {error}. Answer again."},
                ]
                continue
            for action, known in zip(plan.actions[1:], plan.views, strict=True):
                self._plans[self._place(view, known)] = action
                if len(self._plans) > _MOST_PLANS:
                    self._plans.popitem(last=False)
            return plan.actions[0]
        raise AgentError(f"the agent {self.name} named no legal action in {self.tries} answers; in the last one: {why}")

    def _place(self, view: View, known: bytes) -> tuple[str, int, bytes]:
        return json.dumps(view.rules.setup.as_json()), view.seat, known

    def _answer(self, messages: list[dict[str, str]], end: float) -> str:
        """The model's answer as text; empty where it has none."""
        asked: dict[str, Any] = {"model": self.model, "messages": messages}
        if self.temperature is not None:
            asked["temperature"] = self.temperature
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(self._key):
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(f"{self.url}/chat/completions", json.dumps(asked).encode(), headers)
        try:
            content = _fetched(request, end)
            answered = json_of(content.decode())
            text = answered["choices"][0]["message"]["content"]
        except TimeoutError:
            raise SlowAgentError(f"the agent {self.name} named no legal action in {self.seconds:g} s") from None
        except urllib.error.HTTPError as error:
            raise AgentError(f"the agent {self.name}: {self.url} answered with status {error.code}") from None
        except OSError as error:
            if isinstance(getattr(error, "reason", None), TimeoutError):
                raise SlowAgentError(f"the agent {self.name} named no legal action in {self.seconds:g} s") from None
            why = in_one_line(getattr(error, "reason", error), 200)
            raise AgentError(f"the agent {self.name}: {self.url} does not answer: {why}") from None
        except (ValueError, KeyError, IndexError, TypeError) as error:
            why = in_one_line(f"{type(error).__name__}: {error}", 200)
            raise AgentError(f"the agent {self.name}: {self.url} gave no chat completion: {why}") from None
        return text if isinstance(text, str) else ""


def _fetched(request: urllib.request.Request, end: float) -> bytes:
    """The body of a response; TimeoutError after ``end``, however slowly it comes."""
    left = end - time.monotonic()
    if left <= 0.0:
        raise TimeoutError
    content = b""
    with urllib.request.urlopen(request, timeout=left) as response:
        while piece := response.read1(65536):
            content += piece
            if time.monotonic() > end:
                raise TimeoutError
            if len(content) > _MOST_BYTES:
                raise ValueError(f"it is longer than {_MOST_BYTES // 2**20} MB")
    return content
