"""Writes encoding.md and roma_encoding.md, the pages about actions and observations, from the tables in the code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from romans_env.roma import actions as roma_actions
from romans_env.roma import observation as roma_observation
from romans_env.romans_go_home.actions import BLOCKS, NUM_ACTIONS
from romans_env.romans_go_home.observation import GLOBAL_STATE_SIZE, OBSERVATION_SIZE, SLICES

PAGE = Path(__file__).with_name("encoding.md")
ROMA_PAGE = Path(__file__).with_name("roma_encoding.md")


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


def roma_page() -> str:
    """The whole page about Roma."""
    slices = roma_observation.SLICES
    own = [row for row in slices if row.name.startswith("own.")]
    width = sum(row.size for row in own)
    return f"""# Roma: actions and observations

Generated from the code by `python docs/make_encoding.py`. Numbers in brackets are rules
([roma_rules.md](roma_rules.md)).

## Actions

`Discrete({roma_actions.NUM_ACTIONS})`: a block for each kind of action. Cards are in the order of their numbers
(1.2). The action mask never allows exactly one: the engine makes decisions with a single legal action (2.4).
`env.unwrapped.action_name(i)` and `action_id(name)` translate.

| ids | names | meaning |
|---|---|---|
{_roma_actions()}

## Observation

int16, shape `({roma_observation.OBSERVATION_SIZE},)`, the same layout for both seats: `own` is the seat observed from,
`rival` the other. One-hot slices are all zero where there is nothing to show. It holds everything in the seat's view
(10.3), so a policy needs no memory. Counts by kind are in the order of 1.2; their upper bounds are the copies of each
card. In the code: `observation[SLICE_BY_NAME["dice"]]`, from `romans_env.roma.observation`.

| entries | slice | range | meaning |
|---|---|---|---|
{_rows([row for row in slices if "." not in row.name])}

Then two blocks `own` and `rival` of {width} entries each; those of `own`, from entry {own[0].start}:

| entries | slice | range | meaning |
|---|---|---|---|
{_rows(own)}

## Global state

`env.state()`, for centralised critics: int16, shape `({roma_observation.GLOBAL_STATE_SIZE},)`. It is the observation of
`player_0`, then what that one may not see: the hand of `player_1` (counts by kind), its cards put aside (counts by
kind), its discs (by disc one-hot, face-down cards included), and the pile (counts by kind). Never feed it to a policy
that plays.
"""


def _roma_actions() -> str:
    lines = []
    for block in roma_actions.BLOCKS:
        last = block.first + len(block.choices) - 1
        ids = str(last) if last == block.first else f"{block.first}-{last}"
        names = f"`{block.names[0]}`" if last == block.first else f"`{block.names[0]}` … `{block.names[-1]}`"
        lines.append(f"| {ids} | {names} | {block.meaning} |")
    return "\n".join(lines)


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
        lines.append(f"| {entries} | `{row.name}` | {row.low} to {_high(row)} | {row.meaning} |")
    return "\n".join(lines)


def _high(row: Any) -> str:
    return "copies" if isinstance(row.high, tuple) else str(row.high)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    ROMA_PAGE.write_text(roma_page(), encoding="utf-8")
