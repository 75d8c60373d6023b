"""Writes encoding.md, the page about actions and observations, from the tables in the code."""

from __future__ import annotations

from pathlib import Path

from romans_env.romans_go_home.actions import BLOCKS, NUM_ACTIONS
from romans_env.romans_go_home.observation import GLOBAL_STATE_SIZE, OBSERVATION_SIZE, SLICES

PAGE = Path(__file__).with_name("encoding.md")


def page() -> str:
    """The whole page."""
    clan = [row for row in SLICES if row.name.startswith("clan_0.")]
    width = sum(row.size for row in clan)
    return f"""# Actions and observations

Generated from the code by `python docs/make_encoding.py`.

## Actions

`Discrete({NUM_ACTIONS})`, the same for every table and seat: a block for each kind of decision. The action mask
allows choices of the block in play only, and never exactly one: the engine plays forced moves (RULES 4.14).
Placing and reordering are choices from left to right, one warrior for each slot. `env.unwrapped.action_name(i)`
and `action_id(name)` translate.

| ids | names | meaning |
|---|---|---|
{_actions()}

## Observation

int8, shape `({OBSERVATION_SIZE},)`, the same layout for every table and seat. Clans are seen from the seat: `clan_0` is
its own, `clan_k` the clan k seats further on, cyclically, neutrals included (the one that `charm:+k` charms); an absent
clan is zeros. One-hot slices are all zero where there is nothing to show. It holds everything the seat may know that
matters later, so a policy needs no memory. In the code:
`observation[SLICE_BY_NAME["wall"]]`, from `romans_env.romans_go_home.observation`.

| entries | slice | range | meaning |
|---|---|---|---|
{_rows([row for row in SLICES if not row.name.startswith("clan_")])}

Then four blocks `clan_0` to `clan_3` of {width} entries each; those of `clan_0`, from entry {clan[0].start}:

| entries | slice | range | meaning |
|---|---|---|---|
{_rows(clan)}

## Global state

`env.state()`, for centralised critics: int8, shape `({GLOBAL_STATE_SIZE},)`. It is the observation of `player_0`,
then for each clan after it, in seat order, what that one hides: its hand (counts by kind), its set-aside warrior
(one-hot) and its hidden line (by slot one-hot). It shows face-down cards: never feed it to a policy that plays.
"""


def _actions() -> str:
    lines = []
    for block in BLOCKS:
        names = f"`{block.kind}:{block.choices[0]}` … `{block.kind}:{block.choices[-1]}`"
        lines.append(f"| {block.first}-{block.first + len(block.choices) - 1} | {names} | {block.meaning} |")
    return "\n".join(lines)


def _rows(rows: list) -> str:
    lines = []
    for row in rows:
        entries = str(row.start) if row.size == 1 else f"{row.start}-{row.stop - 1}"
        lines.append(f"| {entries} | `{row.name}` | {row.low} to {row.high} | {row.meaning} |")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
