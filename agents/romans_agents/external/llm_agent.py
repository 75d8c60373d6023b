"""``llm:MODEL``: a language model plays, over any server with OpenAI's chat completions API."""

from __future__ import annotations

import json
import math
import os
import re
import time
from collections import OrderedDict
from typing import Any

from romans_agents.base import Agent
from romans_agents.errors import AgentError, NoAnswerError, SlowAgentError
from romans_agents.external.endpoint import Endpoint, EndpointError
from romans_agents.permission import require
from romans_env import View
from romans_env.core.files import json_of
from romans_env.errors import in_one_line
from romans_env.render.language import AnswerError, describe, introduce, plan_of

_USUAL_KEY = "OPENAI_API_KEY"
_MOST_PLANS = 4096
_MOST_SECONDS = 1e6


class LLMAgent(Agent):
    """Asks a language model for every decision, in words.

    The model may answer with a plan of several actions, which are played without asking again. If an answer names no
    legal action, the model gets an explanation and is asked again.

    Args:
        model: the name of the model on the server.
        url: the base URL of the API, to which ``/chat/completions`` is appended.
        tries: the maximum number of answers per decision.
        seconds: the time limit of a decision in seconds, for all answers together.
        temperature: the sampling temperature of the model; None for the server's default.
        key: the name of the environment variable with the API key; if the variable is not set, no key is sent. None
            for ``OPENAI_API_KEY``, whose key is sent to ``https://`` URLs only.
        legal: whether the model gets a list of the legal actions, with the question and after a wrong answer. Without
            the list, it has to know the rules.
        renamed: the seed of invented names that replace the names of cards and places in all texts; None for the real
            names.
        tokens: the maximum number of tokens in an answer; None for the server's default.

    Raises:
        ValueError: if an option is out of range.
        romans_agents.permission.FileNotAllowedError: if servers may not be used here.
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
        key: str | None = None,
        legal: bool = True,
        renamed: int | None = None,
        tokens: int | None = None,
    ):
        self._endpoint = Endpoint(url)
        require("code", url, "a server, which would be asked with your key")
        if tries < 1:
            raise ValueError(f"tries is at least 1, not {tries}")
        if not 0.0 < seconds <= _MOST_SECONDS:
            raise ValueError(f"seconds is a number above 0 and at most {_MOST_SECONDS:g}, not {seconds}")
        if temperature is not None and not math.isfinite(temperature):
            raise ValueError(f"temperature is a finite number, not {temperature}")
        if tokens is not None and tokens < 1:
            raise ValueError(f"tokens is at least 1, not {tokens}")
        # The message does not quote the value, which may be the key itself.
        if key is not None and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key):
            raise ValueError("key is the name of an environment variable that holds the key, not the key")
        self.model, self.url, self.tries, self.seconds = model, self._endpoint.url, tries, seconds
        self.temperature, self.tokens, self._key = temperature, tokens, key
        self._legal, self._renamed = legal, renamed
        self._plans: OrderedDict[tuple[str, int, bytes], int] = OrderedDict()

    def seed(self, seed: int) -> None:
        """Forget all plans. The seed is not used, because the server samples the model's answers without one."""
        self._plans.clear()

    def act(self, view: View) -> int:
        """Return the next action of the current plan; without a plan, ask the model.

        Raises:
            romans_agents.SlowAgentError: if the model names no legal action within the time limit.
            romans_agents.NoAnswerError: if the model names no legal action in ``tries`` answers.
            romans_agents.AgentError: if the server does not answer, or ``renamed`` is set and the game does not support
                it.
        """
        planned = self._plans.pop(self._place(view, view.states.tobytes()), None)
        if planned is not None and planned in view.legal_actions():
            return planned
        end = time.monotonic() + self.seconds
        messages = self._question(view)
        why = ""
        for _ in range(self.tries):
            answer = self._answer(messages, end)
            try:
                plan = plan_of(answer, view, self._legal, self._renamed)
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
        tried = f"named no legal action in {self.tries} answers; in the last one: {why}"
        raise NoAnswerError(f"the agent {self.name} {tried}")

    def _question(self, view: View) -> list[dict[str, str]]:
        try:
            rules = introduce(view.rules.name, self._renamed)
            position = describe(view, legal=self._legal, renamed=self._renamed)
        except ValueError as error:
            raise AgentError(f"the agent {self.name}: {error}") from None
        return [{"role": "system", "content": rules}, {"role": "user", "content": position}]

    def _place(self, view: View, known: bytes) -> tuple[str, int, bytes]:
        return json.dumps(view.rules.setup.as_json()), view.seat, known

    def _answer(self, messages: list[dict[str, str]], end: float) -> str:
        """Return the model's answer as text; empty if the answer has no text."""
        asked: dict[str, Any] = {"model": self.model, "messages": messages}
        if self.temperature is not None:
            asked["temperature"] = self.temperature
        if self.tokens is not None:
            asked["max_tokens"] = self.tokens
        headers = {"Content-Type": "application/json", **self._authorization()}
        try:
            left = end - time.monotonic()
            content = self._endpoint.post("/chat/completions", json.dumps(asked).encode(), headers, left)
            text = json_of(content.decode())["choices"][0]["message"]["content"]
        except TimeoutError:
            raise SlowAgentError(f"the agent {self.name} named no legal action in {self.seconds:g} s") from None
        except EndpointError as error:
            hint = self._hint_at_key() if error.status in (401, 403) and "Authorization" not in headers else ""
            raise AgentError(f"the agent {self.name}: {self.url} {error}{hint}") from None
        except (ValueError, KeyError, IndexError, TypeError) as error:
            why = in_one_line(f"{type(error).__name__}: {error}", 200)
            raise AgentError(f"the agent {self.name}: {self.url} gave no chat completion: {why}") from None
        return text if isinstance(text, str) else ""

    def _authorization(self) -> dict[str, str]:
        """Return the header with the API key; empty if no key is sent."""
        name = self._key or (_USUAL_KEY if self._endpoint.is_encrypted else None)
        key = os.environ.get(name, "").strip() if name else ""
        if not key:
            return {}
        # Checked here, because the HTTP library would quote the key in its error.
        if not (key.isascii() and key.isprintable()):
            raise AgentError(f"the agent {self.name}: its variable does not hold an API key: it has odd characters")
        return {"Authorization": f"Bearer {key}"}

    def _hint_at_key(self) -> str:
        if self._key is None and not self._endpoint.is_encrypted:
            return f"; no key was sent, as the URL is not https: name its variable, as in key={_USUAL_KEY}"
        return "; no key was sent, as its environment variable is not set"
