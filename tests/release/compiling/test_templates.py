"""Loop templates for rules in Python: they are executed uncompiled, and nothing else is."""

import sys
import threading
from inspect import isfunction
from types import ModuleType, SimpleNamespace

import numba
import pytest

from romans_env.compiling.decorators import cached_jit, inlined, ir_inlined, jitted
from romans_env.compiling.templates import bound

TEMPLATE = """
import sys
from romans_env.compiling.decorators import cached_jit, inlined, ir_inlined, jitted

@inlined
def small(text):
    return game.tripled(text)

sys.modules["meanwhile"].run()

@jitted
def large(text):
    return small(text)

@ir_inlined
def thin(text):
    return large(text)

@cached_jit(nogil=True)
def outer(text):
    return thin(text)
"""


def plus_one(number):
    return number + 1


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_while_a_template_is_executed_uncompiled_another_thread_compiles(monkeypatch, tmp_path):
    compiled = []

    def compile_all():
        compiled.extend(decorate(plus_one) for decorate in (cached_jit, inlined, ir_inlined, jitted))
        compiled[0](1)

    def run():
        thread = threading.Thread(target=compile_all)
        thread.start()
        thread.join()

    monkeypatch.setitem(sys.modules, "meanwhile", SimpleNamespace(run=run))
    template = ModuleType("a_template")
    template.__file__ = str(tmp_path / "a_template.py")
    (tmp_path / "a_template.py").write_text(TEMPLATE, encoding="utf-8")
    loops = bound(template, game=SimpleNamespace(tripled=lambda text: 3 * text))
    assert loops.outer("a") == "aaa"
    assert all(isfunction(function) for function in (loops.small, loops.large, loops.thin, loops.outer))
    assert len(compiled) == 4 and not any(isfunction(function) for function in compiled)
    assert compiled[0].signatures
