"""Writes the pages about actions and observations, from the tables in the code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from romans_env.engine.observation_layout import LARGEST_IN_PLAY
from romans_env.roma import actions as roma_actions
from romans_env.roma import observation as roma_observation
from romans_env.romans_go_home.actions import BLOCKS, NUM_ACTIONS
from romans_env.romans_go_home.observation import GLOBAL_STATE_SIZE, OBSERVATION_SIZE, SLICES
from romans_env.struggle.actions import NUM_FIXED, blocks_of
from romans_env.struggle.board import load_board
from romans_env.struggle.observation import global_bounds_of, slices_of

FOLDER = Path(__file__).resolve().parents[1] / "environments"
PAGE = FOLDER / "romans_go_home_encoding.md"
ROMA_PAGE = FOLDER / "roma_encoding.md"
STRUGGLE_PAGE = FOLDER / "struggle_encoding.md"


def page() -> str:
    """Return the page about Romans Go Home!."""
    clan = [row for row in SLICES if row.name.startswith("clan_0.")]
    width = sum(row.size for row in clan)
    return f"""# Romans Go Home!: actions and observations

Generated from the code by `python docs/scripts/make_encoding.py`.

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
    """Return the page about Roma."""
    slices = roma_observation.SLICES
    own = [row for row in slices if row.name.startswith("own.")]
    width = sum(row.size for row in own)
    return f"""# Roma: actions and observations

Generated from the code by `python docs/scripts/make_encoding.py`. Numbers in brackets are rules
([the rules](roma_rules.md)).

## Actions

`Discrete({roma_actions.NUM_ACTIONS})`: a block for each kind of action. Cards are in the order of their numbers
(1.2). The action mask never allows exactly one: the engine makes decisions with a single legal action (2.4).
`env.unwrapped.action_name(i)` and `action_id(name)` translate.

| ids | names | meaning |
|---|---|---|
{_block_rows(roma_actions.BLOCKS)}

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


def struggle_page() -> str:
    """Return the page about Struggle for Rome, with the stand-in board."""
    board = load_board()
    blocks, slices = blocks_of(board), slices_of(board)
    num_actions = blocks[-1].first + len(blocks[-1].choices)
    seat = [row for row in slices if row.name.startswith("seat_0.") and not row.name.endswith("_at")]
    width = sum(row.size for row in seat)
    figures = [row for row in slices if row.name.endswith("_at")]
    table = [row for row in slices if not row.name.startswith("seat_")]
    before, behind = ([row for row in table if (row.start < seat[0].start) == is_before] for is_before in (True, False))
    return f"""# Struggle for Rome: actions and observations

Generated from the code by `python docs/scripts/make_encoding.py`. Numbers in brackets are rules
([the rules](struggle_rules.md)).

## Actions

`Discrete({num_actions})` with the stand-in board: {NUM_FIXED} actions that every board has, then one for each of its
{len(board.hexes)} hexes and {len(board.crossroads)} crossroads. Cities are in the order of the board file. The action
mask never allows exactly one: the engine makes decisions with a single legal action (2.5).
`env.unwrapped.action_name(i)` and `action_id(name)` translate; `rules.blocks` are the blocks of another board.

| ids | names | meaning |
|---|---|---|
{_block_rows(blocks)}

## Observation

int16, shape `({slices[-1].stop},)` with the stand-in board, the same layout for three and four players: `seat_0` is
the seat observed from, `seat_k` the k-th clockwise from it; with three players `seat_3` is zeros. Seats in one-hot
slices are counted in the same way. One-hot slices are all zero where there is nothing to show. It holds everything in
the seat's view (9.3), so a policy needs no memory; the board, a setting, is not in it. In the code:
`{{row.name: slice(row.start, row.stop) for row in rules.slices}}`.

Gold, rounds and offers have no bound in the rules: entries show at most 32767 of them, and
`rules.observation_scale` scales them as if {LARGEST_IN_PLAY} were the most.

| entries | slice | range | meaning |
|---|---|---|---|
{_rows(before)}

Then four blocks `seat_0` to `seat_3` of {width} entries each; those of `seat_0`, from entry {seat[0].start}:

| entries | slice | range | meaning |
|---|---|---|---|
{_rows(seat)}

Then what depends on the size of the board:

| entries | slice | range | meaning |
|---|---|---|---|
{_rows([*behind, *figures])}

## Global state

`env.state()`, for centralised critics: int16, shape `({global_bounds_of(slices)[0].size},)`. It is the observation of
`player_0`, then the development cards of each other seat and of the deck (counts by kind; with three players the third
seat's are zeros). Never feed it to a policy that plays.
"""


def _block_rows(blocks: Any) -> str:
    lines = []
    for block in blocks:
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
        lines.append(f"| {entries} | `{row.name}` | {row.low}…{_high(row)} | {row.meaning} |")
    return "\n".join(lines)


def _high(row: Any) -> str:
    return "copies" if isinstance(row.high, tuple) else str(row.high)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    ROMA_PAGE.write_text(roma_page(), encoding="utf-8")
    STRUGGLE_PAGE.write_text(struggle_page(), encoding="utf-8")
