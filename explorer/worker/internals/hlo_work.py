"""Work of a compiled program, counted in its text: XLA itself counts the body of a loop once.

See https://github.com/openxla/xla/issues/10479 and https://github.com/jax-ml/jax/issues/22249.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Literal, NamedTuple

Unknown = Literal["", "loop", "library"]
"""Reason for an unknown count: a loop with a data-dependent number of iterations, or work done by a library."""

_HEADER = re.compile(r"^(?P<entry>ENTRY )?%?(?P<name>[\w.\-]+) \(.*\{$")
_INSTRUCTION = re.compile(r"^\s+(?P<root>ROOT )?%?(?P<name>[\w.\-]+) = (?P<rest>.*)$")
_ARRAY = re.compile(r"\b[a-z]\w*\[([\d,]*)\]")
_NAME = re.compile(r"%([\w.\-]+)")
_TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d+)"')
_CALLED = re.compile(r"\b(calls|to_apply|body|condition|true_computation|false_computation)=%?([\w.\-]+)")
_BRANCHES = re.compile(r"\b(?:branch_computations|called_computations)=\{([^}]*)\}")
_CALLBACK = re.compile(r'custom_call_target="[^"]*(?:callback|[Ss]harding|AllocateBuffer|annotate)[^"]*"')
"""Custom calls that compute nothing, or nothing inside XLA's program."""
_ELEMENTWISE = frozenset(
    (
        "abs", "add", "and", "ceil", "clamp", "clz", "compare", "convert", "divide", "floor", "imag", "maximum",
        "minimum", "multiply", "negate", "not", "or", "popcnt", "real", "reduce-precision", "remainder",
        "round-nearest-afz", "round-nearest-even", "select", "shift-left", "shift-right-arithmetic",
        "shift-right-logical", "sign", "subtract", "xor", "is-finite", "stochastic-convert",
    )
)  # fmt: skip
_TRANSCENDENTAL = frozenset(
    (
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cosine", "cosh", "erf", "exponential",
        "exponential-minus-one", "log", "log-plus-one", "logistic", "power", "rsqrt", "sine", "sinh", "sqrt", "tan",
        "tanh",
    )
)  # fmt: skip


class WorkCount(NamedTuple):
    """FLOPs and transcendental evaluations (exp, tanh, ...), with loop bodies times iterations and with bodies once."""

    flops: int = 0
    transcendentals: int = 0
    flops_once: int = 0
    transcendentals_once: int = 0
    loops: int = 0

    def and_also(self, other: WorkCount) -> WorkCount:
        """Return the sum of both."""
        return WorkCount(*(one + another for one, another in zip(self, other, strict=True)))

    def times(self, count: int, *, once: bool = False) -> WorkCount:
        """Return `count` times this work; with `once`, the figures that count a loop body once stay unchanged."""
        seen = 1 if once else count
        return WorkCount(
            self.flops * count,
            self.transcendentals * count,
            self.flops_once * seen,
            self.transcendentals_once * seen,
            self.loops + once,
        )


@dataclass(frozen=True)
class HloOperation:
    """One operation of a compiled program."""

    type: str
    opcode: str
    operands: tuple[str, ...]
    attributes: str
    row: int
    """The line of the text, from 0."""
    is_root: bool = False
    """Whether it is the result of its computation."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its first array."""
        found = _ARRAY.search(self.type)
        return tuple(int(each) for each in found[1].split(",") if each) if found else ()

    @property
    def called(self) -> dict[str, str]:
        """The computations that it runs, by their role."""
        return dict(_CALLED.findall(self.attributes))

    @property
    def branches(self) -> list[str]:
        """The computations that it lists, of which it may run one."""
        return [name for listed in _BRANCHES.findall(self.attributes) for name in _NAME.findall(listed)]


Computation = dict[str, HloOperation]
"""Instructions by name."""


class _NotKnown(Exception):
    def __init__(self, why: Unknown) -> None:
        super().__init__(why)
        self.why: Unknown = why


def work(text: str) -> tuple[WorkCount, Unknown]:
    """Return the work of one call of `text`, an optimised HLO module, or the reason why it is unknown.

    Counts follow XLA: one FLOP per element of an elementwise operation, two per multiply-add. Of several branches, the
    most expensive one counts.
    """
    computations, entry = parsed(text)
    try:
        return (_Count(computations).of(entry) if entry else WorkCount()), ""
    except _NotKnown as unknown:
        return WorkCount(), unknown.why


def parsed(text: str) -> tuple[dict[str, Computation], str]:
    """Return the computations of an optimised HLO module by name, and the name of the first one that runs."""
    computations: dict[str, Computation] = {}
    entry, current = "", None
    for row, line in enumerate(text.splitlines()):
        header = _HEADER.match(line)
        if header:
            current = computations[header["name"]] = {}
            entry = header["name"] if header["entry"] else entry
        elif line.startswith("}"):
            current = None
        elif current is not None:
            found = _INSTRUCTION.match(line)
            if found:
                made = _instruction(found["rest"], row, is_root=bool(found["root"]))
                if made is not None:
                    current[found["name"]] = made
    return computations, entry


def _instruction(rest: str, row: int, *, is_root: bool) -> HloOperation | None:
    end = _end_of_type(rest)
    found = re.match(r" ([a-z][\w\-]*)\(", rest[end:])
    if found is None:
        return None
    start = end + found.end()
    stop = _closing(rest, start - 1)
    return HloOperation(rest[:end], found[1], tuple(_NAME.findall(rest[start:stop])), rest[stop:], row, is_root)


def _end_of_type(rest: str) -> int:
    return _closing(rest, 0) + 1 if rest.startswith("(") else rest.find(" ")


def _closing(text: str, start: int) -> int:
    """Return the index of the parenthesis that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return place
    return len(text)


class _Count:
    def __init__(self, computations: dict[str, Computation]) -> None:
        self._computations = computations
        self._known: dict[str, WorkCount] = {}

    def of(self, name: str) -> WorkCount:
        """Return the work of one call of the computation `name`."""
        if name not in self._known:
            total = WorkCount()
            computation = self._computations[name]
            for each in computation.values():
                total = total.and_also(self._of(each, computation))
            self._known[name] = total
        return self._known[name]

    def _of(self, each: HloOperation, around: Computation) -> WorkCount:
        size = prod(each.shape)
        opcode = each.opcode.removesuffix("-start")
        if opcode in _ELEMENTWISE:
            return WorkCount(size, 0, size, 0)
        if opcode in _TRANSCENDENTAL:
            return WorkCount(0, size, 0, size)
        given = [around[name].shape for name in each.operands if name in around]
        called = each.called
        if opcode == "while":
            return self._loop(each, called)
        if opcode == "conditional":
            return self._branches(each, called)
        if opcode in ("fusion", "call", "async"):
            return self.of(called.get("calls") or called["to_apply"])
        if opcode == "dot":
            return _plain(2 * size * _contracted(each, given[0]))
        if opcode == "convolution":
            return _plain(2 * _convolved(each, given))
        if opcode in (
            "reduce",
            "all-reduce",
            "reduce-scatter",
            "map",
            "scatter",
            "reduce-window",
            "select-and-scatter",
        ):
            return self._applied(opcode, each, given, called)
        if opcode == "sort":
            length = prod(given[0]) if given else 0
            return _plain(length * max(0, length - 1).bit_length())
        if opcode == "custom-call" and _CALLBACK.search(each.attributes):
            return WorkCount()
        if opcode in ("custom-call", "cholesky", "triangular-solve", "fft"):
            raise _NotKnown("library")
        return WorkCount()

    def _loop(self, each: HloOperation, called: dict[str, str]) -> WorkCount:
        trips = _TRIPS.search(each.attributes)
        if trips is None:
            raise _NotKnown("loop")
        count = int(trips[1])
        body = self.of(called["body"]).times(count, once=True)
        return body.and_also(self.of(called["condition"]).times(count + 1, once=True))

    def _branches(self, each: HloOperation, called: dict[str, str]) -> WorkCount:
        names = each.branches or [called["true_computation"], called["false_computation"]]
        return WorkCount(*map(max, zip(*map(self.of, names), strict=True)))

    def _applied(
        self, opcode: str, each: HloOperation, given: list[tuple[int, ...]], called: dict[str, str]
    ) -> WorkCount:
        """Return the work of an operation that applies a small computation to its elements."""
        size = prod(each.shape)
        if opcode == "reduce":
            count = max(0, prod(given[0]) - size)
        elif opcode == "scatter":
            count = prod(given[-1])
        elif opcode == "reduce-window":
            window = re.search(r"size=([\dx]+)", _window(each))
            count = size * (prod(map(int, window[1].split("x"))) - 1) if window else size
        else:
            count = size
        applied = called.get("to_apply")
        return self.of(applied).times(count) if applied else WorkCount()


def _plain(flops: int) -> WorkCount:
    return WorkCount(flops, 0, flops, 0)


def _contracted(each: HloOperation, left: tuple[int, ...]) -> int:
    found = re.search(r"lhs_contracting_dims=\{([\d,]*)\}", each.attributes)
    return prod(left[axis] for axis in _numbers(found[1] if found else ""))


def _convolved(each: HloOperation, given: list[tuple[int, ...]]) -> int:
    """Return the number of multiplications in a convolution, without those on padding."""
    labels = re.search(r"dim_labels=(\w+)_(\w+)->(\w+)", each.attributes)
    if labels is None:
        raise _NotKnown("library")
    left, kernel, out = (
        dict(zip(*pair, strict=True)) for pair in zip(labels.groups(), (*given[:2], each.shape), strict=True)
    )
    spatial = sorted(label for label in out if label.isdigit())
    window = dict(re.findall(r"(\w+)=([\d_x\-]+)", _window(each)))
    count: int = out["b"] * out["f"] * kernel["i"]
    for place, label in enumerate(spatial):
        stride, stretch, spread = (
            int(window[name].split("x")[place]) if name in window else 1
            for name in ("stride", "lhs_dilate", "rhs_dilate")
        )
        low = int(window["pad"].split("x")[place].split("_")[0]) if "pad" in window else 0
        end = (left[label] - 1) * stretch + 1
        reads = (at * stride + tap * spread - low for at in range(out[label]) for tap in range(kernel[label]))
        count *= sum(0 <= read < end and read % stretch == 0 for read in reads)
    return count


def _window(each: HloOperation) -> str:
    found = re.search(r"window=\{([^}]*)\}", each.attributes)
    return found[1] if found else ""


def _numbers(text: str) -> Iterator[int]:
    return (int(each) for each in text.split(",") if each)
