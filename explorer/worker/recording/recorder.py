"""Runs a program with a record of its key operations: `record`, and the `Recording` that it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Literal

import jax
import msgspec

from explorer import OUR_FILES
from explorer.messages import Finding, FunctionTraces
from explorer.text.text import Text, say
from explorer.worker.internals import dispatch, jaxprs, patches, sources
from explorer.worker.internals.jit import fast_calls
from explorer.worker.internals.jit.watched_outputs import WatchedOutputs
from explorer.worker.recording import fetching, rewritten_jit
from explorer.worker.recording.call_log import CallLog
from explorer.worker.recording.event_log import EventLog
from explorer.worker.recording.events import CallStack, TracedEvent, key_count, key_event, masked
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.recording.rewritten_program import RewrittenJit

Way = Literal["plain", "key", "jit", "inside"]
"""How to run an operation: unchanged (and logged, for keys), rewritten, or by its inner operations."""
FAST_ROOM = 1 << 20
"""Free room in keys that fast paths need."""
MOST_FAST = 1 << 16
"""Largest number of keys in one such call."""


def is_user_code_by_default(filename: str) -> bool:
    """Return whether JAX considers `filename` as user code and it is not ours."""
    return sources.is_user_file(filename) and not filename.startswith(OUR_FILES)


class Recording(msgspec.Struct):
    """One run's key operations, and its end."""

    result: Any = None
    """The function's result, bit for bit as without the recording; None after an exception."""
    error: BaseException | None = None
    """The exception. Earlier events are kept."""
    log: EventLog = msgspec.field(default_factory=EventLog)
    is_user_code: Callable[[str], bool] = is_user_code_by_default
    """Predicate for user files."""
    traces: tuple[FunctionTraces, ...] = ()
    """The user's functions that jit traced."""
    inspection: tuple[Finding, ...] = ()
    """Findings of the checks during traces."""
    lost_traces: bool = False
    """Whether these checks failed and stopped."""
    has_ended: Callable[[], None] = lambda: None
    """To call at the end of the program, while its objects still exist."""
    values: Callable[[], tuple[tuple[Finding, ...], bool]] | None = None
    """Findings on values, and whether all could be checked; None without value checks."""
    calls: CallLog | None = None
    """The numbers that jitted functions return to user code; None if they are not recorded."""

    @property
    def lost_keys(self) -> bool:
        """Whether the recording of keys failed and stopped."""
        return self.log.guard.error is not None


def install() -> None:
    """Install the patches of JAX that the lineage needs; repeated calls do nothing."""
    patches.install_patches()


@contextmanager
def recorded(
    is_user_code: Callable[[str], bool] = is_user_code_by_default, *, calls: bool = False
) -> Iterator[Recording]:
    """Record the key operations of the block, with `calls` what jitted functions return.

    JAX is restored afterwards, however the block ends.

    `is_user_code` decides by file name; by default, everything outside of JAX, the standard library and our files is
    user code. Of two nested blocks, the inner one records. Callbacks on the host may draw and raise, so the block must
    wait for them.
    """
    install()
    log = CallLog(is_user_code) if calls else None
    recording = Recording(is_user_code=is_user_code, calls=log)
    hook = KeyRecorder(recording.log, recording.calls)
    with dispatch.dispatched_to(hook), fast_calls.FastPaths(hook):
        yield recording


def record(
    function: Callable[[], Any],
    *,
    is_user_code: Callable[[str], bool] = is_user_code_by_default,
    ends: tuple[type[BaseException], ...] = (),
    calls: bool = False,
    watching: AbstractContextManager[None] | None = None,
) -> Recording:
    """Run `function`, in `watching`, and return its result with its key operations, recorded as by `recorded`.

    Exceptions of the function are in the recording, except an Interrupt that is not in `ends`.
    """
    with recorded(is_user_code, calls=calls) as recording:
        try:
            with watching or nullcontext():
                result = function()
                jax.effects_barrier()
            recording.result = result
        except BaseException as error:
            # By its real class: ``__class__`` may lie.
            if issubclass(type(error), Interrupt) and not issubclass(type(error), ends):
                raise
            recording.error = error
    return recording


class KeyRecorder:
    """Executor of a recorded program's operations that logs those on keys."""

    def __init__(self, log: EventLog, calls: CallLog | None = None) -> None:
        self._log = log
        self._calls = calls
        self._guard = log.guard

    def __call__(
        self, primitive: Any, implementation: Callable[..., Any], arguments: tuple[Any, ...], parameters: dict[str, Any]
    ) -> Any:
        values = dispatch.concrete(arguments)
        way = self._guard.call_or(self._way, primitive.name, values, parameters, instead="plain")
        if way == "inside":
            # Its jaxpr runs in pieces, or as a jit; both pass here again.
            return implementation(*values, **parameters)
        if way == "jit":
            return self._jit(implementation, values, parameters)
        with dispatch.undispatched():
            output = implementation(*values, **parameters)
            if way == "key":
                self._guard(self._key_operation, primitive.name, parameters, values, output)
        return output

    def _way(self, name: str, values: list[Any], parameters: dict[str, Any]) -> Way:
        """Return how to run an operation, and note what cannot be recorded."""
        if name in jaxprs.KEY_OPERATIONS:
            return "key"
        if jaxprs.is_opaque(name, parameters):
            self.note(jaxprs.EXPORTED_UNSEEN)
        if jaxprs.gives_keys_away(values, parameters) and not dispatch.is_called_back():
            self._log.keep()
        if not jaxprs.carries_random(parameters):
            return "plain"
        return "jit" if name == "jit" else "inside"

    # -- fast paths for known calls -----------------------------------------------------------

    def may_be_fast(self) -> bool:
        """Return whether calls may currently use a fast path: there is room, and no context that must see each call."""
        if self._guard.error is not None:
            return False
        return self._log.room > FAST_ROOM and not patches.current_branches() and not dispatch.is_called_back()

    def is_plain(self, parameters: dict[str, Any], arguments: Sequence[Any]) -> bool:
        """Return whether a jit with these `parameters` neither draws nor donates keys."""
        return self._guard.call_or(self._is_plain, parameters, arguments, instead=True)

    def _is_plain(self, parameters: dict[str, Any], arguments: Sequence[Any]) -> bool:
        return not (jaxprs.carries_random(parameters) or jaxprs.gives_keys_away(arguments, parameters))

    def rewritten(self, parameters: dict[str, Any], arguments: Sequence[Any]) -> RewrittenJit | None:
        """Return the replacement for all calls of a jit with these `parameters`; None if each needs the slow path."""
        return self._guard.call_or(self._rewritten, parameters, arguments, instead=None)

    def _rewritten(self, parameters: dict[str, Any], arguments: Sequence[Any]) -> RewrittenJit | None:
        jaxpr = parameters["jaxpr"].jaxpr
        if not jaxprs.has_random(jaxpr) or jaxprs.has_while(jaxpr):
            return None
        if jaxprs.gives_keys_away(arguments, parameters):
            return None
        try:
            made = rewritten_jit.traced(parameters, arguments, self._log.room)
        except Exception:
            # The slow path reports it.
            return None
        if made.keys > MOST_FAST:
            return None
        return made

    def took(self, rewritten: fast_calls.Rewritten, arrays: Any) -> None:
        """Log a call of `rewritten` that returned the additional `arrays`."""
        self._guard(self._took, rewritten, arrays)

    def _took(self, rewritten: fast_calls.Rewritten, arrays: Any) -> None:
        assert isinstance(rewritten, RewrittenJit)
        if rewritten.notes:
            self._log.notes |= rewritten.notes
        self._log.add_call(rewritten, arrays, sources.current_source())

    def watched(self, function: object, parameters: dict[str, Any]) -> WatchedOutputs | None:
        """Return the outputs to record of each call of `function`, a jit with these `parameters`; None for none."""
        return self._calls.watched(function, parameters) if self._calls is not None else None

    def given(self, call: fast_calls.CallWithArguments | None) -> None:
        """Keep the arguments of the call whose outputs to record come next, until these are read."""
        if self._calls is not None:
            self._calls.given(call)

    def returned(self, name: str, result: Any) -> None:
        """Log the numbers in the `result` of a call in user code, written as `name`."""
        if self._calls is not None:
            self._calls.returned(name, result)

    def note(self, words: Text) -> None:
        """Record a note on the recording for the user."""
        self._log.notes.add(words)

    def _key_operation(self, name: str, parameters: dict[str, Any], arguments: list[Any], output: Any) -> None:
        caller = sources.current_source()
        event, arrays = key_event(name, parameters, arguments, output)
        keys = key_count(arrays)
        if keys <= self._log.room:
            if patches.current_branches():
                self._add([TracedEvent(event, arrays)], CallStack(*caller), keys)
            else:
                self._log.add_operation(event, tuple(arrays.values()), caller, keys=keys)
        elif event.operation == "draw":
            self._log.leave_out(keys)

    def _jit(self, implementation: Callable[..., Any], arguments: list[Any], parameters: dict[str, Any]) -> Any:
        with dispatch.undispatched():
            try:
                caller = CallStack(*sources.current_source())
                rewritten = rewritten_jit.traced(parameters, arguments, self._log.room)
            except Exception:
                # A program that cannot be rewritten must still run, and raise its own errors.
                self._log.notes.add(say("Keys used inside {name} could not be seen.", name=parameters["name"]))
                return implementation(*arguments, **parameters)
            if rewritten.keys > self._log.room:
                self._log.leave_out(rewritten.draws)
                return implementation(*arguments, **parameters)
            outputs, arrays = rewritten.call(*arguments)
            wanted = self._guard.call_or(self._room_wanted, rewritten, arrays, instead=None)
            # A loop that prints, or draws in Python, must not run twice.
            if wanted and not jaxprs.calls_back(parameters["jaxpr"].jaxpr):
                roomy = self._guard.call_or(
                    rewritten_jit.traced, parameters, arguments, self._log.room, wanted, instead=rewritten
                )
                if roomy is not rewritten:
                    rewritten = roomy
                    outputs, arrays = rewritten.call(*arguments)
            if wanted is not None:
                self._guard(self._called, rewritten, arrays, caller)
        return outputs

    def _room_wanted(self, rewritten: RewrittenJit, arrays: Any) -> int | None:
        """Return the room for keys that its loops would have needed; None if the events are lost."""
        try:
            return rewritten.room_wanted(arrays)
        except fetching.FailedArray:
            # The outputs are lost, too, and the program will notice.
            return None

    def _called(self, rewritten: RewrittenJit, arrays: Any, caller: CallStack) -> None:
        """Log a call of `rewritten` from `caller` that returned the additional `arrays`."""
        self._log.notes |= rewritten.notes
        self._log.leave_out(rewritten.draws_missed(arrays))
        if patches.current_branches():
            self._add(rewritten.caught(arrays), caller, rewritten.keys, rewritten.length)
        else:
            self._log.add_call(rewritten, arrays, (caller.tracebacks, caller.stack))

    def _add(self, caught: list[TracedEvent], caller: CallStack, keys: int, length: int = 1) -> None:
        branches = patches.current_branches()
        for branch in branches:
            with dispatch.undispatched():
                caught = [masked(each, branch.taken) for each in caught]
        if branches:
            caught = [TracedEvent(event.in_branch(branches[-1].number), arrays) for event, arrays in caught]
        choice = branches[-1].choice if branches else None
        self._log.add(caught, caller, keys=keys, length=length, choice=choice)
