"""Separate compilation for numba: a function is compiled to machine code once for all its callers.

On its own, numba copies the code of a function into each of its callers, optimises it there again, and generates
machine code and Python wrappers for every function on the way. Here there are two kinds of functions instead:

- A `Folded` function is only translated to LLVM's intermediate representation, and LLVM inlines it into its callers.
- A `Unit` is compiled to machine code of its own, which callers find by its symbol, as in a program of several object
  files. Its file on disk (`store`) names the units that it calls; they are loaded first.

A symbol consists of the function's name, the types of its arguments and a digest of the sources, so it means the same
in every process. It does not cover the values that a function closes over, so a function with a closure has a symbol of
this process alone, and its code is not saved.
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
"""The prefix of the symbols of numba's environments."""
_OF_ANOTHER_PROCESS = """
@numba.dynamic.globals.romans_env = weak constant i8 0
"""
"""The module that represents a unit in a function that numba compiles in its usual way. The function finds the unit in
this process; the name makes numba not cache the function, because another process would load it without the unit."""
_COUNTING = {"NRT_incref", "NRT_decref"}
"""The functions that count references to arrays."""


class MissingUnitError(Exception):
    """A unit that saved code calls does not exist, or comes from other sources."""


class Call(NamedTuple):
    """A unit as it is called by another.

    Attributes:
        module: the name of its module.
        name: its name in the module.
        arguments: numba's types of its arguments.
        symbol: the symbol of its machine code.
    """

    module: str
    name: str
    arguments: tuple[Any, ...]
    symbol: str


# -- code


class _FoldedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a folded function: simplified, but not linked, optimised or translated to machine code."""

    _linking_libraries: list[Any]
    _shared_module: Any

    def finalize(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the code with everything that it calls, for a function that numba compiles in its usual way."""
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
        call: the unit, as others call it.
        calls: the units that it calls.
    """

    call: Call
    calls: tuple[Call, ...] = ()
    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Optimise the code of this unit alone; the units that it calls are loaded separately."""
        parts, self.calls = _closure(self._linking_libraries)
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        for part in parts:
            self._reload_init.update(part._reload_init)
            self._final_module.link_in(_module_of(part), preserve=True)
        self._linking_libraries = []
        # Helper functions that numba adds have names that differ between processes and might clash, so hide them.
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in own and not function.name.startswith("NRT_"):
                function.linkage, function.name = "internal", "part"
        super().finalize()

    def _optimize_final_module(self) -> None:
        # Numba's passes inline everything first, to count references, and then optimise the result. Without reference
        # counts, LLVM's own order, which simplifies each function before it is inlined, is as good and faster.
        if any(function.name in _COUNTING for function in self._final_module.functions):
            super()._optimize_final_module()
            return
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _get_module_for_linking(self) -> Any:
        return llvm.parse_assembly(_OF_ANOTHER_PROCESS)

    def object_code(self) -> tuple[bytes, tuple[str, ...]]:
        """Return the object file and the symbols that it defines."""
        module = self._final_module
        symbols = [one.name for ones in (module.functions, module.global_variables) for one in ones if _is_defined(one)]
        return self._get_compiled_object(), tuple(symbols)

    @classmethod
    def from_object_code(cls, codegen: Any, call: Call, code: bytes, symbols: tuple[str, ...]) -> _UnitLibrary:
        """Load what `object_code` returned in another process; all units that it calls must be loaded already."""
        self = cls(codegen, call.name)
        self.call = call
        self.enable_object_caching()
        self._set_compiled_object(code)
        self._finalize_final_module()
        codegen._engine._defined_symbols.update(symbols)
        return self


def _closure(libraries: list[Any]) -> tuple[list[Any], tuple[Call, ...]]:
    """Return the libraries that a unit must link, also through folded functions, and the units that it calls."""
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
    """Return the code that a library of a `_closure` adds; a folded function adds only its own, without its callees."""
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
        # A key by which callers look up the code, in place of a function that Python can call.
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
    return library.codegen  # numba's annotation of it is too wide


@contextlib.contextmanager
def _stable_symbols(target_context: Any) -> Iterator[None]:
    """Generate symbols without numba's numbers of record types, which differ between processes."""

    def mangler(name: str, arguments: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
        digest = hashlib.sha256(", ".join(map(str, arguments)).encode()).hexdigest()[:16]
        return str(mangle(name, (), abi_tags=abi_tags, uid=f"{uid}{digest}"))

    target_context.mangler = mangler
    try:
        yield
    finally:
        del target_context.mangler


def _environments_in(library: Any) -> list[Any]:
    """Return numba's environments of a unit and of the functions folded into it."""
    names = [one.name for one in library._final_module.global_variables if one.name.startswith(_ENVIRONMENT)]
    return [found for found in map(lookup_environment, names) if found is not None]


_NUMBERS = itertools.count()
"""Numbers for functions that exist in this process alone."""


def identity_of(function: Any) -> str:
    """Return a digest that distinguishes a function from others of the same name in the same file, such as lambdas."""
    code = function.__code__
    parts = (code.co_firstlineno, code.co_code, code.co_names, [one for one in code.co_consts if not iscode(one)])
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:8]


def _compiler(lowering: type, identity: str) -> type:
    """Return a subclass of numba's compiler with this lowering pass, and with ``identity`` in its symbols."""

    class _Compiler(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            # Part of the symbols, in place of numba's own number, which differs between processes.
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
    # Explicit, because options left out are taken from the first caller and become part of the symbol.
    "fastmath": False,
    "forceinline": False,
    "_nrt": True,
}


class _Function(CPUDispatcher):  # type: ignore[misc]
    """A compiled function.

    Args:
        function: the function.
        digest: the digest of the sources that it depends on.
        options: numba's options.
    """

    lowering: type

    def __init__(self, function: Callable[..., Any], digest: str, **options: Any):
        identity = f"{digest}{identity_of(function)}{'' if is_of_a_file(function) else next(_NUMBERS)}"
        pipeline = _compiler(self.lowering, identity)
        super().__init__(function, targetoptions={**_OPTIONS, **options}, pipeline_class=pipeline)

    def keep_in(self, store: Any) -> None:
        """Cache the machine code in a `store.CodeStore`."""
        self._cache = store

    def compile(self, sig: Any) -> Any:
        """Return the compiled function for a signature, loaded from disk if possible."""
        with garbage_collection_paused():
            try:
                return super().compile(sig)
            finally:
                # Needed if the function cannot be compiled.
                getattr(self._cache, "release", bool)()


class _Inner(_Function):
    """A function that compiled code calls.

    For tests and experiments it can be called from Python, too: numba then compiles it in its usual way.
    """

    def __init__(self, function: Callable[..., Any], digest: str, **options: Any):
        super().__init__(function, digest, no_cpython_wrapper=True, **options)
        self._for_python: Any = None

    def add_overload(self, cres: Any) -> None:
        # Numba's own method would register the code for calls from Python, for which there is no wrapper.
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
    """A unit that only compiled code calls; arguments as for `_Function`."""

    lowering = _UnitLowering


class Unit(_Function):
    """A unit that Python calls; arguments as for `_Function`."""

    lowering = _UnitLowering


@contextlib.contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Pause garbage collection, because the compiler creates millions of objects, few of them in reference cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


# -- on disk


def reduced(cres: Any) -> tuple[Any, ...]:
    """Return the parts of a compiled unit that are saved, for `rebuilt`; they can be pickled."""
    description = cres.fndesc
    # Not needed, and possibly not picklable.
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
    """Return a compiled unit from the parts that `reduced` returned.

    Raises:
        MissingUnitError: if a unit that it calls does not exist, or comes from other sources.
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
    """Load the machine code of a unit into this process; without it, the code that calls it would crash."""
    unit = getattr(sys.modules.get(call.module), call.name, None)
    if not isinstance(unit, (InnerUnit, Unit)):
        raise MissingUnitError(f"{call.module}.{call.name} is not a unit of compiled code")
    unit.compile(call.arguments)
    if unit.overloads[call.arguments].library.call.symbol != call.symbol:
        raise MissingUnitError(f"{call.module}.{call.name} comes from other sources")


def argument_types(signature: Any) -> tuple[types.Type, ...]:
    """Return numba's types of a signature's arguments; the signature may have any form that numba accepts."""
    return tuple(sigutils.normalize_signature(signature)[0])
