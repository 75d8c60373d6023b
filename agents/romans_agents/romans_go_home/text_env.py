"""The text environment of Romans Go Home!, in which a tool call can lay the whole plan of a round."""

from __future__ import annotations

from romans_agents.external.text_env import TextEnv


class RomansGoHomeTextEnv(TextEnv):
    """A seat of Romans Go Home! that is played by tool calls; see `romans_agents.external.text_env.TextEnv`."""

    def plan(self, set_aside: str, line: list[str]) -> str:
        """Lay the cards of a round at once, in place of choosing them one by one.

        Args:
            set_aside: The warrior that you set aside, such as axx; empty where you have set one aside already.
            line: The warriors that you lay face-down, from the next free slot on, such as ["zvord", "horsie"].

        Returns:
            What happened, your position and your legal actions; or why the plan cannot be played.
        """
        return self._play([*([f"discard:{set_aside}"] if set_aside else []), *(f"place:{name}" for name in line)])
