"""Games by the code that a wheel brings, and on processors that it does not fit, are those of the interpreted rules."""

import shutil

import pytest

from romans_env.compiling import shipped_code
from tests.harness import GAMES
from tests.release.compiling.processes import CHECKED, compiles, run, said

pytestmark = compiles

PLAY = """
import hashlib, sys
from pathlib import Path
from romans_env.compiling import decorators, shipped_code
decorators.SHIPPED = shipped_code.SHIPPED = Path(sys.argv[1])
{first}
from romans_env import Game
from romans_env.core.games import spec_of
game, digest = Game(spec_of(sys.argv[2]).make_rules(), seed=5), hashlib.sha256()
for number in range(200):
    legal = game.legal_actions()
    if legal:
        game.act(legal[3 * number % len(legal)])
        digest.update(game.states.tobytes() + game.observation(number % 2).tobytes())
print(digest.hexdigest())
"""
WITHOUT_AVX2 = """
features = shipped_code.llvm.get_host_cpu_features()
shipped_code.llvm.get_host_cpu_features = lambda: {**features, "avx2": False}
"""


@pytest.mark.parametrize("game", [game.name for game in GAMES if game.is_compiled])
def test_a_game_is_the_same_by_shipped_code_and_on_processors_that_it_does_not_fit(game, tmp_path):
    level = shipped_code.level()
    if level is None:
        pytest.skip("no wheel brings code for this platform")
    shipped, kept = tmp_path / "shipped", tmp_path / "kept"

    def played(first="", **variables):
        """The digest of a game, how many functions were compiled for it, and what was said."""
        shutil.rmtree(kept, ignore_errors=True)
        program = PLAY.replace("{first}", first)
        done = run(program, tmp_path, kept, str(shipped), game, **{**CHECKED, **variables})
        return done.stdout.strip(), len(list(kept.rglob("*.code"))), said(done.stderr)

    expected = played(NUMBA_DISABLE_JIT="1")[0]
    assert played(NUMBA_CPU_NAME=level.cpu, NUMBA_CPU_FEATURES="")[0] == expected
    (kept / "romans_env").rename(shipped)
    assert played() == (expected, 0, [])
    assert played(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")[0] == expected
    if level.needs:
        # A processor without them would end the process at the first such instruction.
        digest, num_compiled, _ = played(WITHOUT_AVX2)
        assert digest == expected and num_compiled > 0
