"""A server's thinker without any agents."""

import secrets

from romans_env import Record, View
from romans_env.protocol import Rules
from romans_env.serve.thinking import Hint, Reviewed, ThinkingError


class NoAgents:
    """A thinker without any agents: people play, and a seat may be given to random actions."""

    def check(self, spec: str, game: str) -> None:
        """See `Thinker`."""
        if spec != "random":
            raise ValueError(f"unknown agent {spec!r}; there is random")

    async def prepare(self, spec: str, view: View) -> None:
        """See `Thinker`."""

    async def act(self, spec: str, view: View, seed: int) -> int:
        """See `Thinker`."""
        return secrets.choice(view.legal_actions())

    async def hint(self, spec: str, view: View, seed: int) -> Hint:
        """See `Thinker`."""
        legal = view.legal_actions()
        return Hint(spec, {view.action_name(action): 1 / len(legal) for action in legal}, None)

    async def review(self, rules: Rules, record: Record) -> Reviewed:
        """See `Thinker`."""
        raise ThinkingError("nobody searches here")
