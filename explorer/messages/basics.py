"""The building blocks of messages: arrays as raw buffers, places in the code, failures and fixes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from explorer.messages.late_numpy import np
from explorer.text.text import Text

if TYPE_CHECKING:
    import numpy.typing as npt


Value = bool | int | float | str
"""What a parameter of ``inputs`` can be set to from a control or from ``--set``."""

Status = Literal["ok", "error", "timeout", "stopped"]
Form = Literal["jaxpr", "stablehlo", "hlo"]
Transform = Literal["eager", "jit", "vmap", "jit(vmap)"]
WrongWay = Literal["", "no-block", "with-compile", "numpy-inputs", "fresh-lambda"]
"""A classic mistake of timing: not waiting for the result, compiling inside the clock, inputs that are copied to the
device in every call, a new function for jit in every call. Empty for the right way."""


class Array(msgspec.Struct, frozen=True, array_like=True):
    """A NumPy array on its way through a pipe, in C order and native byte order.

    One that is the same value all over, as NumPy's broadcasting makes them, is sent as that value.
    """

    dtype: str
    shape: tuple[int, ...]
    data: memoryview

    @staticmethod
    def of(values: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> Array:
        """Return `values` as an Array, without a copy where they are contiguous already."""
        values = np.asarray(values, dtype)
        different = values if any(values.strides) or not values.size else values.flat[:1]
        flat = np.ascontiguousarray(different).reshape(-1).view(np.uint8)
        return Array(values.dtype.str, values.shape, flat.data)

    def numpy(self) -> npt.NDArray[Any]:
        """Return a read-only NumPy view of the buffer, of this shape and dtype."""
        values = np.frombuffer(self.data, np.dtype(self.dtype))
        return np.broadcast_to(values.reshape(()), self.shape) if len(values) == 1 else values.reshape(self.shape)


def is_same(first: Value, second: Value) -> bool:
    """Return whether two values are the same to a program, to which -0.0 is not 0.0 and NaN is NaN."""
    return type(first) is type(second) and repr(first) == repr(second)


def unmarked(sentence: Text | str) -> str:
    """Return `sentence` without the marks around code, for where it cannot be set in another type."""
    return _CODE.sub(r"\1", str(sentence))


_CODE = re.compile("`([^`\n]+)`")


class Span(msgspec.Struct, frozen=True, array_like=True):
    """A stretch of user code. Lines count from 1, columns from 0, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    file: str = ""
    """Where user code is in several files; empty for the one program of a request."""


class Edit(msgspec.Struct, frozen=True, array_like=True):
    """A replacement of one stretch of the code."""

    span: Span
    old: str
    """What stands there; where it does not any more, the edit is out of date."""
    new: str


class Fix(msgspec.Struct, frozen=True):
    """A change of the code that was tried: with it the program runs."""

    label: Text
    """What it does, in a few words."""
    edits: tuple[Edit, ...]
    """In the order of the code; they do not overlap."""


class Beat(msgspec.Struct, frozen=True, tag=True):
    """A sign of life over a link: the worker sends it back as it is, and ends where it hears none for long."""

    number: int


class Failure(msgspec.Struct, frozen=True):
    """An error in user code, as a value like any other result."""

    type: str
    message: Text | str
    """Of ours, or as JAX or Python has it."""
    span: Span | None = None
    explanation: Text | str = ""
    """In plain words: what happened, why JAX minds, what to do. Empty when we know no more than Python."""
    traceback: str = ""
    drawing: str = ""
    """Shapes that clash, aligned in lines of fixed pitch."""
    original: str = ""
    """The whole text of the error as JAX or Python wrote it."""
    link: str = ""
    """Address of the documentation of this error."""
    lesson: str = ""
    """The id of the lesson that explains it; empty for none."""
    fixes: tuple[Fix, ...] = ()
    """The most fitting first."""

    @property
    def words(self) -> Text:
        """Its type and its message, as Python prints them."""
        return Text("{type}: {message}", (("type", self.type), ("message", self.message)))

    @property
    def line(self) -> int | None:
        """The line of user code that failed, or None where none is known."""
        return self.span.line if self.span else None
