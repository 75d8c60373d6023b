"""Loop templates for rules in Python: they are executed uncompiled, and nothing else is."""

from __future__ import annotations

import threading
from inspect import isfunction
from types import ModuleType, SimpleNamespace

import numba
import pytest

from romans_env.compiling.decorators import cached_jit, inlined, ir_inlined, jitted
from romans_env.compiling.templates import bound

TEMPLATE = """
from romans_env.compiling.decorators import cached_jit, inlined, ir_inlined, jitted
from tests.compiling.test_templates import compile_in_another_thread

@inlined
def small(number):
    return game.tripled(number)

compile_in_another_thread()

@jitted
def large(number):
    return small(number)

@ir_inlined
def thin(number):
    return large(number)

@cached_jit(nogil=True)
def outer(number):
    return thin(number)
"""
compiled = []


def plus_one(number):
    return number + 1


def compile_in_another_thread():
    """Decorate and call functions in a thread that ends before the template goes on."""

    def run():
        compiled.extend(decorate(plus_one) for decorate in (cached_jit, inlined, ir_inlined, jitted))
        compiled[0](1)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_while_a_template_is_executed_uncompiled_other_threads_compile(tmp_path):
    template = ModuleType("a_template")
    template.__file__ = str(tmp_path / "a_template.py")
    (tmp_path / "a_template.py").write_text(TEMPLATE, encoding="utf-8")
    compiled.clear()
    loops = bound(template, game=SimpleNamespace(tripled=lambda number: f"{number}" * 3))
    assert loops.outer("a") == "aaa"
    assert all(isfunction(function) for function in (loops.small, loops.large, loops.thin, loops.outer))
    assert not any(isfunction(function) for function in compiled)
    assert len(compiled) == 4 and compiled[0].signatures
