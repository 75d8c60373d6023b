"""What `docs/site/wasm.ll` adds to a module."""

import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).resolve().parents[3] / "docs" / "site" / "wasm.ll"
TIMES = """
define void @times(i64 %a, i64 %b, ptr %to) {
  %x = sext i64 %a to i128
  %y = sext i64 %b to i128
  %z = mul i128 %x, %y
  store i128 %z, ptr %to
  ret void
}
"""
RUN = """
const fs = require("fs"), { times, memory } = new WebAssembly.Instance(
  new WebAssembly.Module(fs.readFileSync("times.wasm"))).exports, at = memory.grow(1) * 65536;
for (const [a, b] of JSON.parse(fs.readFileSync("pairs.json"))) {
  times(BigInt(a), BigInt(b), at);
  const [low, high] = new BigUint64Array(memory.buffer, at, 2);
  console.log(String(BigInt.asIntN(128, low + (high << 64n))));
}
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_products_of_128_bits_are_right(tmp_path):
    llvm = pytest.importorskip("llvmlite.binding")
    pytest.importorskip("ziglang", reason="the linker comes with ziglang")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("wasm32-unknown-unknown").create_target_machine(opt=3, reloc="static")
    module = llvm.parse_assembly(SUPPORT.read_text(encoding="utf-8").split("; --\n")[0] + TIMES)
    module.triple, module.data_layout = "wasm32-unknown-unknown", str(target.target_data)
    (tmp_path / "times.o").write_bytes(target.emit_object(module))
    linker = [sys.executable, "-m", "ziglang", "wasm-ld", "--no-entry", "--export-dynamic"]
    subprocess.run([*linker, "times.o", "-o", "times.wasm"], cwd=tmp_path, check=True)
    rng = random.Random(1)
    ends = (0, 1, -1, 2**32, 2**63 - 1, -(2**63))
    pairs = [(a, b) for a in ends for b in ends] + [(rng.randrange(-(2**63), 2**63),) * 2 for _ in range(200)]
    pairs += [(rng.randrange(-(2**63), 2**63), rng.randrange(-(2**40), 2**40)) for _ in range(200)]
    (tmp_path / "pairs.json").write_text(str([[str(a), str(b)] for a, b in pairs]).replace("'", '"'))
    told = subprocess.run(["node", "-e", RUN], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert [int(line) for line in re.findall(r"-?\d+", told)] == [a * b for a, b in pairs]
