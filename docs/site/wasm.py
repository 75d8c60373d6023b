"""Exports functions of a game's rules as a WebAssembly module, from the same source that numba compiles for Python.

    python docs/site/wasm.py                            # rebuild the modules whose sources have changed
    python docs/site/wasm.py --game roma --to folder

This needs the linker of ``pip install ziglang``; without it, the existing module is used. numba types and lowers the
functions, llvmlite's wasm32 back end turns their intermediate representation into an object, and wasm-ld links the
module, which has no imports. An exported function takes addresses in the module's memory and 32-bit integers, and
returns a double, or an int64, which is a BigInt in JavaScript. A module ends with the digest of its sources.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SUPPORT = Path(__file__).resolve().with_suffix(".ll")
KEPT = ROOT / "docs" / "site" / "play"
SOURCES = {
    "romans-go-home": ("romans_env/engine", "romans_env/romans_go_home", "agents/romans_agents/romans_go_home"),
    "roma": ("romans_env/engine", "romans_env/roma", "agents/romans_agents/roma"),
    "struggle": ("romans_env/engine", "romans_env/struggle", "agents/romans_agents/struggle"),
}
"""The folders that the functions of a game come from."""
BUILDING = {"ROMANS_ENV_SEPARATE": "0", "NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""Environment variables that make numba lower everything into one library, and leave optimization to llvmlite."""
Export = tuple[Callable[..., Any], str]
"""A function that calls compiled ones and returns an int64, a float64 or nothing, and a letter for each argument: s is
the address of a state record, w of four words (int64), o of an observation, m of a mask (int8); i is an integer."""


def exports_of_rules(rules: Any) -> list[Export]:
    """Return the exports of every compiled game; ``act`` returns -3 for an illegal action, and changes nothing."""
    from numba import carray, int64

    step, seen, actions, of_words = rules.step, (1, rules.observation_size), (1, rules.num_actions), (1, 4)

    def start(states, deal, words):
        step.start(carray(states, 1), 0, carray(deal, of_words), carray(words, of_words))
        return int64(step.seat_to_act(carray(states, 1), 0))

    def act(states, action, words):
        games = carray(states, 1)
        if not step.is_legal(games, 0, action):
            return int64(-3)
        step.act(games, 0, int64(action), carray(words, of_words))
        return int64(-1) if step.is_over(games, 0) else int64(step.seat_to_act(games, 0))

    def random_action(states, words):
        return int64(step.random_action(carray(states, 1), 0, carray(words, of_words), 0))

    def observe(states, seat, out):
        step.observe(carray(states, 1), 0, int64(seat), carray(out, seen), 0)

    def write_mask(states, out):
        step.write_mask(carray(states, 1), 0, carray(out, actions), 0)

    def redact(states, seat):
        step.redact(carray(states, 1), 0, int64(seat))

    def game_return(states, seat):
        return float(step.game_return(carray(states, 1), 0, int64(seat)))

    exports = [(start, "sww"), (act, "siw"), (random_action, "sw"), (observe, "sio"), (write_mask, "sm")]
    return [*exports, (redact, "si"), (game_return, "si")]


def exports_of_page(game: str, rules: Any) -> list[Export]:
    """Return the additional exports for the page: single steps, chance, and the scripted agents."""
    from numba import carray, int64

    from romans_env.engine import random_stream

    step, of_words = rules.step, (1, 4)
    compiled_agents = importlib.import_module(f"romans_agents.{game.replace('-', '_')}.compiled_agents")

    def begin(states):
        step.begin(carray(states, 1)[0])

    def choose(states, action):
        step.choose(carray(states, 1)[0], int64(action))

    def answer(states, outcome):
        step.answer(carray(states, 1)[0], int64(outcome))

    def only_legal_action(states):
        return int64(step.only_legal_action(carray(states, 1)[0]))

    def current_player(states):
        return int64(step.current_player(carray(states, 1)[0]))

    def event_of(states):
        return int64(step.event_of(carray(states, 1)[0]))

    def draw_outcome(states, words):
        return int64(step.draw_outcome(carray(states, 1)[0], carray(words, of_words), 0))

    def is_winner(states, seat):
        return int64(step.is_winner(carray(states, 1), 0, int64(seat)))

    def scripted(views, code):
        return int64(compiled_agents.choose(carray(views, 1), int64(code)))

    def uniform(words):
        return random_stream.uniform(carray(words, of_words), 0)

    exports = [(begin, "s"), (choose, "si"), (answer, "si"), (only_legal_action, "s"), (current_player, "s")]
    exports += [(event_of, "s"), (draw_outcome, "sw"), (is_winner, "si"), (scripted, "si"), (uniform, "w")]
    if game == "romans-go-home":
        from romans_env.romans_go_home import game_flow

        def play_phase(states):
            return int64(game_flow.play_phase(carray(states, 1)[0]))

        exports.append((play_phase, "s"))
    if game == "struggle":
        from romans_env.struggle.dice import due_in
        from romans_env.struggle.material import MAX_SEATS, NUM_BANK

        shape = NUM_BANK + 1, MAX_SEATS

        def due(states, number, out):
            found, written = due_in(carray(states, 1), 0, int64(number)), carray(out, shape)
            for kind in range(NUM_BANK + 1):
                for seat in range(MAX_SEATS):
                    written[kind, seat] = found[kind, seat]

        exports.append((due, "siw"))
    return exports


def built(game: str) -> bytes:
    """Build the module of a game; `BUILDING` must be in the environment before numba is imported."""
    import llvmlite.binding as llvm
    import numba
    from numba import types

    from romans_env.core.games import spec_of

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("wasm32-unknown-unknown").create_target_machine(
        opt=3, reloc="static", features="+bulk-memory,+sign-ext,+nontrapping-fptoint"
    )

    def parsed(text: str) -> Any:
        text = re.sub(r'^target (datalayout|triple).*$|"target-(cpu|features)"="[^"]*"', "", text, flags=re.MULTILINE)
        # LLVM's wasm writer aborts at a global with "common" linkage.
        module = llvm.parse_assembly(text.replace("= common ", "= internal "))
        module.triple, module.data_layout = "wasm32-unknown-unknown", str(target.target_data)
        return module

    rules = spec_of(game).make_rules()
    seen = numba.from_dtype(rules.observation_low.dtype)
    pointed = {"s": numba.from_dtype(rules.new_states(1).dtype), "w": types.int64, "o": seen, "m": types.int8}
    kinds = {"i": types.int32, **{letter: types.CPointer(one) for letter, one in pointed.items()}}
    exports = exports_of_rules(rules) + exports_of_page(game, rules)
    support, caller = SUPPORT.read_text(encoding="utf-8").split("; --\n")
    callers, libraries = [support, *_tables_of(rules)], []
    for function, arguments in exports:
        compiled = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
        compiled.compile(signature := tuple(kinds[letter] for letter in arguments))
        found = compiled.overloads[signature]
        given = ["i32" if letter == "i" else "ptr" for letter in arguments]
        result = {types.float64: "double", types.int64: "i64"}.get(found.signature.return_type, "ptr")
        named, symbol = ", ".join(f"{one} %a{k}" for k, one in enumerate(given)), found.fndesc.llvm_func_name
        parts = {"symbol": symbol, "types": ", ".join(given), "arguments": named, "result": result}
        callers.append(caller.format(name=function.__name__, **parts))
        libraries.append(parsed(found.library.get_llvm_str()))
    module = parsed("".join(callers))
    for library in libraries:
        module.link_in(library)
    names = {*(one.__name__ for one, _ in exports), "__multi3"}
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and one.name not in names and not one.name.startswith("llvm."):
            one.linkage = "internal"
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    undefined = [one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")]
    if undefined or re.search(r"inttoptr \(i64 \d", str(module)):
        raise SystemExit(f"what the functions need is not in the module: {undefined or 'addresses of this process'}")
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder) / "rules.o", Path(folder) / "rules.wasm"
        given.write_bytes(target.emit_object(module))
        linker = [sys.executable, "-m", "ziglang", "wasm-ld", "--no-entry", "--export-dynamic", "--strip-all"]
        subprocess.run([*linker, "--stack-first", given, "-o", made], check=True)
        return made.read_bytes()


def _tables_of(rules: Any) -> list[str]:
    """Return the tables of `romans_env.compiling.tables` that the rules read: a directory, and the board's table.

    Unlike in Python, addresses in the directory have 32 bits; the words are little-endian in both.
    """
    from romans_env.compiling import tables

    if not hasattr(rules, "geography"):
        return []
    key = int(rules.geography.key)
    _, words = tables._tables[key]
    numbers = ", ".join(f"i64 {word}" for word in words.tolist())
    return [
        f"@board = internal constant [{len(words)} x i64] [{numbers}], align 8\n",
        f"@{tables._SYMBOL} = global <{{ i64, i64, ptr, i32 }}> <{{ i64 1, i64 {key}, ptr @board, i32 0 }}>, align 8\n",
    ]


def digest_of(game: str) -> bytes:
    """Return the hexadecimal digest of the sources of a game's module."""
    digest = hashlib.sha256()
    files = {file for name in SOURCES[game] for file in (ROOT / name).glob("*.py")}
    for file in sorted(files | {Path(__file__).resolve(), SUPPORT}):
        digest.update(f"{file.relative_to(ROOT).as_posix()}\0".encode() + file.read_bytes())
    return digest.hexdigest().encode()


def main() -> None:
    """Rebuild the modules whose sources have changed, or say why the existing ones are used."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=SOURCES, help="build only this game; by default all")
    parser.add_argument("--to", type=Path, default=KEPT, help="folder for the modules")
    given = parser.parse_args()
    for game in [given.game] if given.game else SOURCES:
        _build(game, given.to / f"{game}.wasm")


def _build(game: str, kept: Path) -> None:
    name, digest = os.path.relpath(kept), digest_of(game)
    if kept.exists() and kept.read_bytes().endswith(digest):
        return
    if importlib.util.find_spec("ziglang") is None:
        is_stale = "was built from other sources, and is used unchanged" if kept.exists() else "is missing"
        print(f"{name} {is_stale}: to build it, pip install ziglang", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(BUILDING, NUMBA_CACHE_DIR=folder)
        warnings.simplefilter("ignore")  # numba warns that it cannot cache these functions
        sys.path[:0] = [str(ROOT), str(ROOT / "agents")]
        from romans_env.core.files import atomic_write

        # A custom section at the end: its number, its length, and the length of its name.
        header = bytes([0, 1 + len(b"sources") + len(digest), len(b"sources")])
        module = built(game) + header + b"sources" + digest
        with atomic_write(kept) as temporary:
            Path(temporary).write_bytes(module)
    print(f"{name}: {len(module):,} bytes")


if __name__ == "__main__":
    main()
