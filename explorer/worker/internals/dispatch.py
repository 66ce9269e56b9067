"""JAX's private parts that the key recorder needs, for JAX 0.10 and 0.11; what it changes in JAX is in ``patches``.

JAX has no public place where all operations of a program pass by. The one used here is its own dispatch point for
checking keys: with the flag ``jax_debug_key_reuse`` on, every operation on concrete arrays goes through one
function of ``jax.experimental.key_reuse``, and no compiled fast path goes around it.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

import jax
from jax._src import config, core, source_info_util
from jax._src.interpreters import partial_eval
from jax._src.lib import xla_client  # type: ignore[attr-defined]
from jax.experimental.key_reuse import _core as key_reuse
from jax.extend.core import Jaxpr, JaxprEqn, jaxprs_in_params

KEY_OPERATIONS = {
    "random_seed": "seed",
    "random_split": "split",
    "random_fold_in": "fold_in",
    "random_bits": "draw",
    "random_gamma": "draw",
    "random_clone": "clone",
}
"""What each primitive on keys does. They are told by name: not all of them can be imported."""

LEVEL = "~vmap"
"""What the name of a scope begins with that marks a vmap."""

Traceback = Any
"""``jaxlib``'s compact traceback: ``raw_frames()`` gives code objects and instruction offsets, innermost first."""
NameStack = tuple[Any, ...]
Dispatch = Callable[..., Any]


# -- the dispatch point -----------------------------------------------------------------------


class Hook(Protocol):
    """What carries out the operations of a recorded program."""

    def __call__(
        self, primitive: Any, implementation: Dispatch, arguments: tuple[Any, ...], parameters: dict[str, Any]
    ) -> Any:
        """Return what the operation gives."""

    def note(self, words: str) -> None:
        """Take down what a person should know about the recording."""


_RECORDED = "recorded"
"""What the flag is while a program is recorded. JAX takes it for true, and keeps what it traces then apart from what
it traces for checks of its own."""
_SET_BY_PROGRAM = "The program set jax_debug_key_reuse itself: what it drew after that could not be seen."
_hooks: list[Hook] = []


@contextmanager
def dispatched_to(hook: Hook) -> Iterator[None]:
    """Let ``hook(primitive, implementation, arguments, parameters)`` carry out every operation in the block."""
    saved = key_reuse.call_impl_with_key_reuse_checks, key_reuse.check_key_reuse_jaxpr
    before = config.debug_key_reuse.get_global()

    def is_checked() -> bool:
        """Return whether the program itself has turned JAX's checks on."""
        flag: object = config.debug_key_reuse.value
        return flag is True or (flag == _RECORDED and before is True)

    def call(primitive: Any, implementation: Dispatch, *arguments: Any, **parameters: Any) -> Any:
        def recorded(*arguments: Any, **parameters: Any) -> Any:
            return hook(primitive, implementation, arguments, parameters)

        if is_checked():
            return saved[0](primitive, recorded, *arguments, **parameters)
        return recorded(*arguments, **parameters)

    def check(jaxpr: Any) -> None:
        # JAX's static check raises while tracing; it must not unless the program itself asks for it.
        if is_checked():
            saved[1](jaxpr)

    key_reuse.call_impl_with_key_reuse_checks, key_reuse.check_key_reuse_jaxpr = call, check  # type: ignore[assignment]
    _hooks.append(hook)
    # For the whole process, not by the context manager: the program may start threads.
    config.debug_key_reuse.set_global(_RECORDED)
    try:
        yield
    finally:
        after: object = config.debug_key_reuse.get_global()
        if after is False:
            hook.note(_SET_BY_PROGRAM)
        if after == _RECORDED:
            config.debug_key_reuse.set_global(before)
        _hooks.pop()
        key_reuse.call_impl_with_key_reuse_checks, key_reuse.check_key_reuse_jaxpr = saved


def undispatched() -> Any:
    """Return a context in which this thread's operations go JAX's usual way, with its usual caches."""
    return jax.debug_key_reuse(False)


@contextmanager
def dispatched_again() -> Iterator[None]:
    """Let operations in the block go through the dispatch point even if it is inside an ``undispatched`` one."""
    saved = config.debug_key_reuse.swap_local(config.config_ext.unset), _own.calls_back
    _own.calls_back = True
    try:
        with source_info_util.reset_name_stack():
            yield
    finally:
        config.debug_key_reuse.set_local(saved[0])
        _own.calls_back = saved[1]


class _OfThread(threading.local):
    calls_back = False


_own = _OfThread()


def is_called_back() -> bool:
    """Return whether this thread is inside ``dispatched_again``: XLA waits for it in the middle of a program."""
    return _own.calls_back


def is_recording() -> bool:
    """Return whether a program is being recorded, though maybe not here."""
    return bool(_hooks)


def is_dispatched() -> bool:
    """Return whether operations go through the dispatch point to a hook of ours here."""
    return bool(_hooks) and bool(config.debug_key_reuse.value)


def note(words: str) -> None:
    """Let the recording know `words`, if there is one."""
    if _hooks:
        _hooks[-1].note(words)


def concrete(arguments: Sequence[Any]) -> list[Any]:
    """Return `arguments` without the wrappers that tracing leaves. Raises UnexpectedTracerError for a leaked one.

    The dispatch point leaves both to who is called there.
    """
    lowered = [core.full_lower(argument) for argument in arguments]
    core.check_eval_args(lowered)
    return lowered


# -- where an operation comes from ------------------------------------------------------------


def current_source() -> tuple[tuple[Traceback, ...], NameStack]:
    """Return the tracebacks, innermost first, and the name stack of the operation being carried out."""
    source: Any = source_info_util.current()
    python_stack = xla_client.Traceback.get_traceback()
    if source.traceback.raw_frames()[0][-1:] == python_stack.raw_frames()[0][-1:]:
        return (source.traceback,), source.name_stack.stack
    # JAX is evaluating an equation of a jaxpr, whose traceback ends where its tracing began.
    return (source.traceback, python_stack), source.name_stack.stack


def equation_source(equation: JaxprEqn) -> tuple[Traceback, NameStack]:
    """Return the traceback and the name stack that `equation` was traced with, from its own jaxpr on."""
    return equation.source_info.traceback, equation.source_info.name_stack.stack


def is_user_file(filename: str) -> bool:
    """Return whether JAX takes code in `filename` for its user's."""
    return bool(source_info_util.is_user_filename(filename))


def transforms(stack: NameStack) -> Iterator[str]:
    """Yield the names of the transformations in `stack`, outermost first."""
    return (entry.name for entry in stack if isinstance(entry, source_info_util.Transform))


def scopes(stack: NameStack) -> Iterator[str]:
    """Yield the names of the scopes in `stack`, outermost first."""
    return (entry.name for entry in stack if isinstance(entry, source_info_util.Scope))


def vmap_levels(stack: NameStack) -> list[tuple[int, int | None]]:
    """Return (size, axis) of every vmap that an operation on keys went through, innermost first.

    The axis counts among those the array had at that level; it is None where the level does not map the array.
    """
    marks = (name.split(":") for name in scopes(stack) if name.startswith(LEVEL))
    return [(int(size), int(axis) if axis else None) for _, size, axis in marks]


# -- what jit traces ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """One time that jit asked for the jaxpr of a function, whether it was traced for that or known already."""

    number: int
    """In the order in which they were asked for, from 0; an inner function follows the one that calls it."""
    function: Any
    name: str
    filename: str
    """Where the function is defined; empty where that is not known."""
    line: int
    names: tuple[str, ...]
    """Of its arguments, or of the arrays in them."""
    values: tuple[Any, ...]
    """In the same order, the type of each array, and a StaticValue for each static argument."""
    structure: Any
    """Of its arguments."""
    result: object
    """One and the same object as long as JAX remembers."""


@dataclass(frozen=True)
class StaticValue:
    """A static argument."""

    value: Any
    text: str


def _arguments(types: Any, names: Sequence[str]) -> tuple[tuple[str, ...], tuple[Any, ...], Any]:
    """Return names, values and structure of what a function is traced for, as Asked has them."""
    if types.tree.num_leaves != len(types.vals):
        # From JAX 0.11 on the static arguments are hidden in `types`; which they are it does not tell.
        return (*names, ""), (*types.vals, StaticValue(types, "")), types.tree
    whole = jax.tree.unflatten(types.tree, list(types.vals))
    leaves, structure = jax.tree_util.tree_flatten_with_path(whole, is_leaf=_is_static)
    array_names, all_names, values = iter(names), [], []
    for path, leaf in leaves:
        if _is_static(leaf):
            value = getattr(leaf, "val", leaf)
            place = path[-1]
            all_names.append(str(getattr(place, "key", f"argument {getattr(place, 'idx', '')}")))
            values.append(StaticValue(value, repr(value)[:80]))
        else:
            all_names.append(next(array_names, "an argument"))
            values.append(leaf)
    return tuple(all_names), tuple(values), structure


def _is_static(leaf: Any) -> bool:
    return type(leaf).__name__.startswith("Static")


@contextmanager
def asked_for_jaxprs(tell: Callable[[Asked], None]) -> Iterator[None]:
    """In the block, call `tell` each time that jit has got the jaxpr of a function in this thread."""
    original: Any = partial_eval.trace_to_jaxpr
    thread, numbers = threading.get_ident(), count()

    def trace_to_jaxpr(function: Any, types: Any, about: Any, *rest: Any, **options: Any) -> Any:
        number = next(numbers)
        result = original(function, types, about, *rest, **options)
        if about.traced_for == "jit" and threading.get_ident() == thread:
            place = about.func_filename or "", about.func_lineno or 0
            tell(Asked(number, function, about.func_name, *place, *_arguments(types, about.arg_names or ()), result))
        return result

    for attribute in ("evict_weakref", "cache_clear", "evict_function"):
        if hasattr(original, attribute):
            setattr(trace_to_jaxpr, attribute, getattr(original, attribute))
    module: Any = partial_eval
    module.trace_to_jaxpr = trace_to_jaxpr
    try:
        yield
    finally:
        module.trace_to_jaxpr = original


# -- structure of equations -------------------------------------------------------------------


def bind(equation: JaxprEqn, arguments: Sequence[Any]) -> list[Any]:
    """Carry out `equation` as it stands and return its outputs."""
    parameters = equation.primitive.get_bind_params(equation.params)
    outputs = equation.primitive.bind(*arguments, **parameters)
    return list(outputs) if equation.primitive.multiple_results else [outputs]


def has_random(jaxpr: Jaxpr) -> bool:
    """Return whether there are operations on keys in `jaxpr`, however deep."""
    known = _random.get(jaxpr)
    if known is None:
        known = _random[jaxpr] = any(
            equation.primitive.name in KEY_OPERATIONS
            or carries_random(equation.params)
            or is_opaque(equation.primitive.name, equation.params)
            for equation in jaxpr.eqns
        )
    return known


def is_opaque(name: str, parameters: dict[str, Any]) -> bool:
    """Return whether an operation draws, or makes keys, in a program of which only compiled text is there."""
    return name == "call_exported" and text_draws(parameters["exported"].mlir_module())


def text_draws(program: str) -> bool:
    """Return whether the text of a lowered or compiled `program` tells of draws or of making keys."""
    return any(sign in program for sign in _SIGNS_OF_DRAWING)


_SIGNS_OF_DRAWING = (str(0x1BD11BDA), "rng-bit-generator", "rng_bit_generator")
"""The parity word in Threefry's key schedule, which stands in its every inlined copy; and XLA's own generator."""
EXPORTED_UNSEEN = "A program ran that was exported: what it drew could not be seen."


def calls_back(jaxpr: Jaxpr) -> bool:
    """Return whether `jaxpr` calls Python while it runs, however deep."""
    known = _calling.get(jaxpr)
    if known is None:
        known = _calling[jaxpr] = any(
            equation.primitive.name in _CALLBACKS or any(map(calls_back, jaxprs_in_params(equation.params)))
            for equation in jaxpr.eqns
        )
    return known


_CALLBACKS = ("pure_callback", "io_callback", "debug_callback", "debug_print")
_calling: weakref.WeakKeyDictionary[Jaxpr, bool] = weakref.WeakKeyDictionary()


def carries_random(parameters: dict[str, Any]) -> bool:
    """Return whether a jaxpr in an operation's `parameters` has operations on keys."""
    return any(has_random(jaxpr) for jaxpr in jaxprs_in_params(parameters))


_random: weakref.WeakKeyDictionary[Jaxpr, bool] = weakref.WeakKeyDictionary()


def scan_counts(parameters: dict[str, Any], arguments: Sequence[Any]) -> tuple[int, int]:
    """Return how many of a scan's arguments are constants and how many are carried."""
    if "num_consts" in parameters:
        return parameters["num_consts"], parameters["num_carry"]
    # From 0.11 on the arguments come as a tree of (constants, carry, slices).
    constants, carry, _ = parameters["ft_in"].update(arguments).unpack()
    return len(list(constants)), len(list(carry))


def shard_map_axes(parameters: dict[str, Any]) -> tuple[str, ...]:
    """Return the mesh axes that a shard_map is manual over, in the order of the mesh."""
    manual = parameters["newly_manual_axes"]
    return tuple(name for name in parameters["mesh"].axis_names if name in manual)


def gives_keys_away(arguments: Sequence[Any], parameters: dict[str, Any]) -> bool:
    """Return whether a jit with these `parameters` donates, and may get keys among its `arguments`, typed or raw."""
    dtypes = (getattr(argument, "dtype", None) for argument in arguments)
    return any(parameters.get("donated_invars", ())) and any(
        each == "uint32" or (each is not None and jax.numpy.issubdtype(each, jax.dtypes.prng_key)) for each in dtypes
    )


def is_specified(sharding: Any) -> bool:
    """Return whether a jit was told this sharding; JAX has a private object for "not told"."""
    return not type(sharding).__name__.startswith("Unspecified")


def implementation_name(keys: Any) -> str:
    """Return the name of the generator of the key array `keys`, also of one that JAX does not know by name."""
    return str(keys.dtype._impl.name)


def key_words(keys: Any) -> Any:
    """Return the words of the key array `keys`: uint32 of their shape and one more axis."""
    # Public, but a dispatch: jax.random.key_data. For concrete keys the array is right there.
    words = keys._base_array if hasattr(keys, "_base_array") else jax.random.key_data(keys)
    return words if words.ndim == keys.ndim + 1 else words.reshape(*keys.shape, -1)
