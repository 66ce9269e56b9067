"""Building blocks of messages: arrays as raw buffers, spans, edits, failures; ``unmarked``, for plain text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from explorer.messages.lazy_numpy import np
from explorer.text.text import Text, say

if TYPE_CHECKING:
    import numpy.typing as npt


Value = bool | int | float | str
"""A value of a parameter of ``inputs``, set by a control or by ``--set``."""

Status = Literal["ok", "error", "timeout", "stopped"]
Form = Literal["jaxpr", "stablehlo", "hlo"]
Transform = Literal["eager", "jit", "vmap", "jit(vmap)", "loop"]
"""How a variant is timed: ``eager`` as written, and next to ``jit`` without the variant's own jit; ``loop`` calls, for
one example after the other, a function that the program maps with vmap."""


class Array(msgspec.Struct, frozen=True, array_like=True):
    """A NumPy array in transit, in C order and native byte order.

    An array of one repeated value with zero strides, as made by NumPy's broadcasting, is sent as that value.
    """

    dtype: str
    shape: tuple[int, ...]
    data: memoryview

    @staticmethod
    def of(values: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> Array:
        """Return `values` as an Array, without a copy if they are contiguous."""
        values = np.asarray(values, dtype)
        different = values if any(values.strides) or not values.size else values.flat[:1]
        flat = np.ascontiguousarray(different).reshape(-1).view(np.uint8)
        return Array(values.dtype.str, values.shape, flat.data)

    def numpy(self) -> npt.NDArray[Any]:
        """Return a read-only NumPy view of the buffer, with this shape and dtype."""
        values = np.frombuffer(self.data, np.dtype(self.dtype))
        return np.broadcast_to(values.reshape(()), self.shape) if len(values) == 1 else values.reshape(self.shape)


def is_same(first: Value, second: Value) -> bool:
    """Return whether two values are identical to a program: -0.0 differs from 0.0, and NaN equals NaN."""
    return type(first) is type(second) and repr(first) == repr(second)


def unmarked(sentence: Text | str) -> str:
    """Return `sentence` without the backticks around code, for plain text."""
    return _CODE.sub(r"\1", str(sentence))


_CODE = re.compile("`([^`\n]+)`")


class Span(msgspec.Struct, frozen=True, array_like=True):
    """A range of user code. Lines count from 1, columns in characters from 0; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    file: str = ""
    """The file, if user code spans several; empty for a request's single program."""

    @property
    def shown_line(self) -> int:
        """The line in the program that is shown; 0 for a span of another file."""
        return 0 if self.file else self.line


class Edit(msgspec.Struct, frozen=True, array_like=True):
    """A replacement of one range of the code."""

    span: Span
    old: str
    """The expected current text; if it differs, the edit is out of date."""
    new: str


class Fix(msgspec.Struct, frozen=True):
    """A tested code change: with it, the program runs."""

    label: Text
    """The change, in a few words."""
    edits: tuple[Edit, ...]
    """In the order of the code, without overlap."""


class Beat(msgspec.Struct, frozen=True, tag=True):
    """A sign of life over a link: the worker echoes it, and exits after a long silence."""

    number: int


NO_EXCEPTIONS = {
    "BadProgram": say("not callable"),
    "InternalError": say("internal error"),
    "NotRunAgain": say("not run again"),
    "NotTraced": say("not traced"),
    "NothingToRun": say("nothing to run"),
    "ProcessChanged": say("process changed"),
    "Stopped": say("stopped"),
    "Timeout": say("out of time"),
    "WorkerDied": say("process ended"),
}
"""The words for types of failures that are no exceptions of the program."""


class Failure(msgspec.Struct, frozen=True):
    """An error in user code, as a value."""

    type: str
    message: Text | str
    """Our text, or that of JAX or Python."""
    span: Span | None = None
    explanation: Text | str = ""
    """In plain words: the event, JAX's reason, and the remedy. Empty without an explanation."""
    traceback: str = ""
    drawing: str = ""
    """Clashing shapes, aligned in lines of fixed pitch."""
    original: str = ""
    """The complete error text of JAX or Python."""
    link: str = ""
    """Address of the documentation of this error."""
    lesson: str = ""
    """The id of the lesson that explains it, or empty."""
    fixes: tuple[Fix, ...] = ()
    """Best fix first."""

    @property
    def name(self) -> str:
        """The type, or the words for an end that is no exception."""
        return str(NO_EXCEPTIONS.get(self.type, self.type))

    @property
    def words(self) -> Text | str:
        """Type and message, as printed by Python; the message alone of an end that is no exception."""
        if self.type in NO_EXCEPTIONS or not self.message:
            return self.message or self.name
        return Text("{type}: {message}", (("type", self.type), ("message", self.message)))

    @property
    def line(self) -> int | None:
        """The line of user code that failed, or None."""
        return self.span.line if self.span else None

    @property
    def shown_line(self) -> int:
        """That line in the program that is shown; 0 if it is in another file, or unknown."""
        return self.span.shown_line if self.span else 0
