"""Separate compilation for numba: a function is compiled to machine code once, whoever calls it.

By itself numba puts the code of a function into each of its callers, optimises it there again, and makes machine code
and wrappers for Python of every function on the way. Here there are two kinds of functions instead:

- `Folded` ones are translated to LLVM's intermediate representation and no further: LLVM folds them into their callers.
- A `Unit` is compiled to machine code of its own, which its callers find by its symbol, as in a program of several
  object files. What is kept of it on disk (`store`) names the units that it calls; they are loaded before it.

Symbols are made of the function, the types of its arguments and a digest of the sources, so that they mean the same in
every process. What a function closes over is in none of these: the symbol of one with a closure is its process's alone,
and its code is not kept.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import itertools
import sys
from collections.abc import Callable, Iterator
from inspect import iscode
from typing import Any, Literal, NamedTuple

import llvmlite.binding as llvm
import numba
from numba.core import sigutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder, compile_result
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.environment import lookup_environment
from numba.core.itanium_mangler import mangle
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

from romans_env.compiling.cache_folder import is_of_a_file

_ENVIRONMENT = "_ZN08NumbaEnv"
"""How the symbols of numba's environments begin."""
_OF_ANOTHER_PROCESS = """
@numba.dynamic.globals.romans_env = weak constant i8 0
"""
"""What a function that numba compiles by itself is given of a unit. It finds the unit in this process; the name tells
numba not to keep the function, which another process would load without the unit."""
_COUNTING = {"NRT_incref", "NRT_decref"}
"""What counts references to arrays."""


class MissingUnitError(Exception):
    """A unit that kept code calls is not there, or of other sources."""


class Call(NamedTuple):
    """A unit that another one calls.

    Attributes:
        module: the name of its module.
        name: its name there.
        arguments: numba's types of its arguments.
        symbol: of its machine code.
    """

    module: str
    name: str
    arguments: tuple[Any, ...]
    symbol: str


# -- code


class _FoldedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a folded function: simplified, but not linked, nor optimised, nor made machine code of."""

    _linking_libraries: list[Any]
    _shared_module: Any

    def finalize(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the code with what it calls, for a function that numba compiles by itself."""
        if self._shared_module is None:
            parts, units = _closure(self._linking_libraries)
            merged = self._final_module.clone()
            for part in parts:
                merged.link_in(_module_of(part), preserve=True)
            if units:
                merged.link_in(llvm.parse_assembly(_OF_ANOTHER_PROCESS))
            self._shared_module = merged
        return self._shared_module


class _UnitLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The machine code of a unit.

    Attributes:
        call: how others call it.
        calls: the units that it calls.
    """

    call: Call
    calls: tuple[Call, ...] = ()
    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Optimise the code of this unit alone; what it calls is loaded before it."""
        parts, self.calls = _closure(self._linking_libraries)
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        for part in parts:
            self._reload_init.update(part._reload_init)
            self._final_module.link_in(_module_of(part), preserve=True)
        self._linking_libraries = []
        # What numba compiles by itself has names that differ between processes, and might be taken for another's.
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in own and not function.name.startswith("NRT_"):
                function.linkage, function.name = "internal", "part"
        super().finalize()

    def _optimize_final_module(self) -> None:
        # Numba first folds everything into one function, in which it counts references, and then optimises that; LLVM
        # by itself simplifies each function before it is folded into the next, which is as good and takes less time.
        if any(function.name in _COUNTING for function in self._final_module.functions):
            super()._optimize_final_module()
            return
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _get_module_for_linking(self) -> Any:
        return llvm.parse_assembly(_OF_ANOTHER_PROCESS)

    def object_code(self) -> tuple[bytes, tuple[str, ...]]:
        """Return the object file, and the symbols that it defines."""
        module = self._final_module
        symbols = [one.name for ones in (module.functions, module.global_variables) for one in ones if _is_defined(one)]
        return self._get_compiled_object(), tuple(symbols)

    @classmethod
    def from_object_code(cls, codegen: Any, call: Call, code: bytes, symbols: tuple[str, ...]) -> _UnitLibrary:
        """Load what `object_code` gave in another process; all units that it calls have to be there."""
        self = cls(codegen, call.name)
        self.call = call
        self.enable_object_caching()
        self._set_compiled_object(code)
        self._finalize_final_module()
        codegen._engine._defined_symbols.update(symbols)
        return self


def _closure(libraries: list[Any]) -> tuple[list[Any], tuple[Call, ...]]:
    """Return the libraries that a unit has to link, those of folded ones included, and the units that it calls."""
    parts: dict[Any, None] = {}
    calls: dict[str, Call] = {}
    waiting = list(reversed(libraries))
    while waiting:
        library = waiting.pop()
        if isinstance(library, _UnitLibrary):
            calls[library.call.symbol] = library.call
        elif library not in parts:
            parts[library] = None
            if isinstance(library, _FoldedLibrary):
                waiting += reversed(library._linking_libraries)
    return list(parts), tuple(calls.values())


def _module_of(library: Any) -> Any:
    """Return what a library of a `_closure` adds; a folded function adds only its own code, its callees their own."""
    return library._final_module if isinstance(library, _FoldedLibrary) else library._get_module_for_linking()


def _is_defined(value: Any) -> bool:
    return not value.is_declaration and value.linkage not in (llvm.Linkage.internal, llvm.Linkage.private)


# -- compiling


@register_pass(mutates_CFG=True, analysis_only=False)
class _FoldedLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering of a folded function."""

    _name = "romans_env_folded_lowering"

    def run_pass(self, state: Any) -> Literal[True]:
        state.library = _FoldedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        with _stable_symbols(state.targetctx):
            super().run_pass(state)
        # In place of a function that Python can call: callers look the code up by it.
        key = object()
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _UnitLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering of a unit."""

    _name = "romans_env_unit_lowering"

    def run_pass(self, state: Any) -> Literal[True]:
        library = state.library = _UnitLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        library.enable_object_caching()
        with _stable_symbols(state.targetctx):
            super().run_pass(state)
        name = state.func_id
        library.call = Call(name.modname, name.func_qualname, tuple(state.args), state.cr.fndesc.llvm_func_name)
        for environment in _environments_in(library):
            _codegen_of(library).set_env(environment.env_name, environment)
        return True


def _codegen_of(library: JITCodeLibrary) -> Any:
    return library.codegen  # numba's type of it is too wide


@contextlib.contextmanager
def _stable_symbols(target_context: Any) -> Iterator[None]:
    """Use numba's symbols without its numbers of record types, which differ between processes."""

    def mangler(name: str, arguments: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
        digest = hashlib.sha256(", ".join(map(str, arguments)).encode()).hexdigest()[:16]
        return str(mangle(name, (), abi_tags=abi_tags, uid=f"{uid}{digest}"))

    target_context.mangler = mangler
    try:
        yield
    finally:
        del target_context.mangler


def _environments_in(library: Any) -> list[Any]:
    """Return numba's environments of a unit and of what is folded into it."""
    names = [one.name for one in library._final_module.global_variables if one.name.startswith(_ENVIRONMENT)]
    return [found for found in map(lookup_environment, names) if found is not None]


_NUMBERS = itertools.count()
"""Of functions that are known in this process alone."""


def identity_of(function: Any) -> str:
    """Return what tells a function from others of the same name in the same file, such as lambdas."""
    code = function.__code__
    parts = (code.co_firstlineno, code.co_code, code.co_names, [one for one in code.co_consts if not iscode(one)])
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:8]


def _compiler(lowering: type, identity: str) -> type:
    """Return numba's compiler with another lowering."""

    class _Compiler(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            # It becomes part of the symbols, where numba has a number that differs between processes.
            name = self.state.func_id
            name.unique_id, name.unique_name = identity, f"{name.func_qualname}${identity}"
            passes = PassManager("romans_env")
            for one, text in DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
                passes.add_pass(lowering if one is NativeLowering else one, text)
            passes.finalize()
            return [passes]

    return _Compiler


# -- functions

_OPTIONS: dict[str, Any] = {
    "nopython": True,
    "boundscheck": None,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    # What is not said is as in the caller that compiles the function first, and becomes part of the symbol.
    "fastmath": False,
    "forceinline": False,
    "_nrt": True,
}


class _Function(CPUDispatcher):  # type: ignore[misc]
    """A compiled function.

    Args:
        function: the function.
        digest: of the sources that it depends on.
        options: numba's.
    """

    lowering: type

    def __init__(self, function: Callable[..., Any], digest: str, **options: Any):
        identity = f"{digest}{identity_of(function)}{'' if is_of_a_file(function) else next(_NUMBERS)}"
        pipeline = _compiler(self.lowering, identity)
        super().__init__(function, targetoptions={**_OPTIONS, **options}, pipeline_class=pipeline)

    def keep_in(self, store: Any) -> None:
        """Keep the code in a `store.CodeStore`."""
        self._cache = store

    def compile(self, sig: Any) -> Any:
        """Return the compiled function for a signature, from the disk if it is there."""
        with garbage_collection_paused():
            try:
                return super().compile(sig)
            finally:
                # Of a function that cannot be compiled.
                getattr(self._cache, "release", bool)()


class _Inner(_Function):
    """A function that compiled code calls.

    A call from Python compiles it, with all it calls, as numba does by itself: for tests, and for the curious.
    """

    def __init__(self, function: Callable[..., Any], digest: str, **options: Any):
        super().__init__(function, digest, no_cpython_wrapper=True, **options)
        self._for_python: Any = None

    def add_overload(self, cres: Any) -> None:
        # Numba's own would offer the code to Python, for which it has no wrapper.
        self.overloads[tuple(cres.signature.args)] = cres

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._for_python is None:
            self._for_python = numba.njit(error_model="numpy")(self.py_func)
        return self._for_python(*args, **kwargs)


class Folded(_Inner):
    """A function that is folded into its callers; arguments as for `_Function`."""

    lowering = _FoldedLowering

    def __init__(self, function: Callable[..., Any], digest: str):
        super().__init__(function, digest, forceinline=True)


class InnerUnit(_Inner):
    """A function compiled by itself that compiled code calls, and Python does not; arguments as for `_Function`."""

    lowering = _UnitLowering


class Unit(_Function):
    """A unit that Python calls; arguments as for `_Function`."""

    lowering = _UnitLowering


@contextlib.contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Pause garbage collection: the compiler makes millions of objects, few of them in reference cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


# -- on disk


def reduced(cres: Any) -> tuple[Any, ...]:
    """Return what is kept of a compiled unit, to be pickled."""
    description = cres.fndesc
    # Not needed, and perhaps not to be pickled.
    description.typemap = description.calltypes = None
    environments = tuple(one for one in _environments_in(cres.library) if one.can_cache())
    library = cres.library
    return (
        library.call,
        library.calls,
        *library.object_code(),
        description,
        cres.environment,
        cres.signature,
        tuple(cres.reload_init),
        environments,
    )


def rebuilt(target_context: Any, parts: tuple[Any, ...]) -> CompileResult:
    """Return a compiled unit, from what `reduced` gives.

    Raises:
        MissingUnitError: a unit that it calls is not there.
    """
    call, calls, code, symbols, description, environment, signature, reload_init, environments = parts
    for one in calls:
        _load(one)
    for function in reload_init:
        function()
    library = _UnitLibrary.from_object_code(target_context.codegen(), call, code, symbols)
    entry_point = target_context.get_executable(library, description, environment)
    for one in environments:
        _codegen_of(library).set_env(one.env_name, one)
    return compile_result(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=environment,
        entry_point=entry_point,
        fndesc=description,
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=list(reload_init),
        referenced_envs=environments,
    )


def _load(call: Call) -> None:
    """Load the machine code of a unit into this process: without it, the code that calls it would end the process."""
    unit = getattr(sys.modules.get(call.module), call.name, None)
    if not isinstance(unit, (InnerUnit, Unit)):
        raise MissingUnitError(f"{call.module}.{call.name} is no unit of compiled code")
    unit.compile(call.arguments)
    if unit.overloads[call.arguments].library.call.symbol != call.symbol:
        raise MissingUnitError(f"{call.module}.{call.name} is of other sources")


def argument_types(signature: Any) -> tuple[types.Type, ...]:
    """Return numba's types of the arguments of a signature in any of numba's forms."""
    return tuple(sigutils.normalize_signature(signature)[0])
