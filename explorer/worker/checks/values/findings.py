"""Findings on a run's values (NaN, indices, casts, probabilities) from its log: merged by place, and in words."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from explorer.diagnostics.registry import lesson_of
from explorer.messages import LEVELS, Finding, Level, Site
from explorer.text.text import Text, joined, say, sentences
from explorer.worker.checks.values.not_finite import Origin
from explorer.worker.checks.values.traced_checks import FailedChecks
from explorer.worker.checks.values.value_log import BadValue, NarrowedValue, RefusedDtype, ValueLog
from explorer.worker.lineage.misuse.site_description import PlaceDescriber

_GROWING = {"add", "sub", "mul", "div", "pow", "square", "integer_pow", "dot_general", "reduce_sum", "reduce_prod"}
_GROWING.add("cumprod")
MOST_EXPONENT = 64
"""Largest exponent that is written out."""

DEFAULT_BYTES = 4
"""Size of an integer without an explicit dtype, in bytes, unless 64 bits are on."""

_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "pow": "**", "shift_left": "<<"}


def value_findings(log: ValueLog) -> tuple[Finding, ...]:
    """Return the findings of the run recorded in `log`, bugs first."""
    troubles = log.troubles
    at = PlaceDescriber(each.span for each in troubles)
    indexed = {each.span for each in troubles if isinstance(each.fact, FailedChecks) and each.fact.site.bounds}
    lines: set[tuple[type, str, int]] = set()
    found = []
    for trouble in troubles:
        fact, span = trouble.fact, trouble.span
        place = at(Site("draw", trouble.text, span))
        if isinstance(fact, Origin):
            # An index beyond the end has its own finding, and an intermediate inf is usual.
            if (fact.filled and span in indexed) or (fact.made == "inf" and not trouble.reaches):
                continue
            level: Level = "bug" if trouble.reaches else "note"
            found.append(_finding("nan", level, _not_finite_words(fact, trouble, place), trouble))
        elif isinstance(fact, FailedChecks) and fact.site.bounds is not None:
            found.append(_finding("out-of-bounds", "bug", _index_words(fact, trouble, place), trouble))
        elif isinstance(fact, FailedChecks) and fact.site.sort == "probability":
            found.append(_finding("not-a-probability", "bug", _probability_words(fact, place), trouble))
        elif (type(fact), span.file, span.line) not in lines:
            # Values computed from a wrong number on the same line are wrong, too.
            lines.add((type(fact), span.file, span.line))
            found.append(_finding("silent-cast", "warning", _cast_words(fact, place), trouble))
    return tuple(sorted(found, key=lambda each: LEVELS.index(each.level)))


def _finding(kind: str, level: Level, message: Text, trouble: BadValue) -> Finding:
    lesson = lesson_of(kind, "where" if _is_by_where(trouble) else "")
    return Finding(kind, level, message, spans=(trouble.span,), count=trouble.times, lesson=lesson)


# -- indices ----------------------------------------------------------------------------------


def _index_words(seen: FailedChecks, trouble: BadValue, place: Text) -> Text:
    limits = seen.site.bounds
    assert limits is not None
    index, column = seen.numbers[:2]
    length, size, most = limits.lengths[column], limits.sizes[column], limits.most[column]
    taken = min(max(index, 0), most)
    # JAX has added the length to indices counted from the end; segments do not count from there.
    shown = index - length if index < 0 and "segment_" not in trouble.text else index
    share = _share(seen, say("examples") if "vmap" in trouble.transforms else say("indices"))
    parts = {"place": place, "index": shown, "length": length, "share": share, "size": size, "taken": taken}
    return sentences(_beyond(limits.reads, size, parts), _instead(seen, parts))


def _beyond(reads: bool, size: int, parts: dict[str, object]) -> Text:
    return say(
        "{place} reads {size} elements from index {index} on, of an axis of length {length}{share}."
        if size > 1 and reads
        else "{place} writes {size} elements from index {index} on, to an axis of length {length}{share}."
        if size > 1
        else "{place} reads index {index} of an axis of length {length}{share}."
        if reads
        else "{place} writes to index {index} of an axis of length {length}{share}.",
        **parts,
    )


def _share(fact: FailedChecks | Origin, what: Text) -> Text:
    """Return in parentheses how many of several numbers are wrong."""
    if fact.total == 1:
        return Text()
    return say(" ({count} of {total} {what})", count=f"{fact.count:,}", total=f"{fact.total:,}", what=what)


def _instead(seen: FailedChecks, parts: dict[str, object]) -> Text:
    limits = seen.site.bounds
    assert limits is not None
    if not limits.clamped and not limits.reads:
        return say(
            'JAX raises no error: it drops the value. If you mean that, pass mode="drop"; otherwise fix the index.',
            mode="drop",
        )
    if not limits.clamped and seen.site.dtype.kind in "iub":
        return say(
            "JAX raises no error: it returns a fill value there, which is not an element of the array. If you mean "
            'that, pass mode="fill" and a fill_value; otherwise fix the index.',
            mode="fill",
        )
    if not limits.clamped:
        return say(
            'JAX raises no error: it returns NaN there. If you mean that, pass mode="fill"; otherwise fix the index.',
            mode="fill",
        )
    if parts["size"] != 1:
        return say(
            "JAX raises no error: it begins at index {taken} instead, so that all of them fit. Fix the start, or make "
            "the array long enough.",
            **parts,
        )
    return say(
        'JAX raises no error: it takes index {taken} instead. If you mean that, pass mode="clip"; otherwise fix '
        "the index.",
        mode="clip",
        **parts,
    )


# -- probabilities ----------------------------------------------------------------------------


def _probability_words(seen: FailedChecks, place: Text) -> Text:
    value, share = f"{seen.first_as_float:g}", _share(seen, say("numbers"))
    if seen.site.operation == "choice":
        first = say("{place} draws with the weight {value}{share}.", place=place, value=value, share=share)
        advice = say("JAX raises no error. A weight is 0 or more: use softmax, or take the logits to categorical.")
    else:
        first = say("{place} draws with the probability {value}{share}.", place=place, value=value, share=share)
        advice = say(
            "JAX raises no error: at 0 or less, and for NaN, it always draws False, at 1 or more always True. Check "
            "the range: a rate is no percentage, and sigmoid gives probabilities, softplus does not."
        )
    return sentences(first, advice)


# -- NaN and inf ------------------------------------------------------------------------------


def _not_finite_words(origin: Origin, trouble: BadValue, place: Text) -> Text:
    made = "NaN" if origin.made == "nan" else "inf" if origin.result > 0 else "-inf"
    of_slope = _is_of_slope(origin, trouble)
    parts = {"place": place, "made": made}
    first = say("The gradient of {place} makes {made}", **parts) if of_slope else say("{place} makes {made}", **parts)
    how = _expression(origin)
    sentence = joined("", (first, _share(origin, say("elements")), f": {how}." if how else "."))
    return sentences(sentence, _advice(origin, trouble, of_slope))


def _is_of_slope(origin: Origin, trouble: BadValue) -> bool:
    """Return whether the operation belongs to a derivative: it does not stand in user code."""
    if "transpose" in trouble.transforms:
        return True
    written = _SYMBOLS.get(origin.operation, origin.operation)
    return "jvp" in trouble.transforms and written not in trouble.text


def _is_by_where(trouble: BadValue) -> bool:
    """Return whether a derivative passes through a value that the statement may not select."""
    return trouble.is_chosen and not trouble.transforms.isdisjoint(("jvp", "transpose"))


def _expression(origin: Origin) -> str:
    """Return the expression with its operands for the first element that is not finite."""
    if origin.operands is None:
        return ""
    numbers = [f"{each:g}" for each in origin.operands]
    if origin.operation in _SYMBOLS and len(numbers) == 2:
        return f"`{f' {_SYMBOLS[origin.operation]} '.join(numbers)}`"
    if origin.operation == "integer_pow":
        return f"`{numbers[0]} ** {origin.exponent}`"
    return f"`{origin.operation}({', '.join(numbers)})`"


def _divides_by_0(origin: Origin) -> bool:
    """Return whether it divides by 0, possibly as a power with a negative exponent."""
    operands = origin.operands or ()
    if origin.operation in ("div", "rem"):
        return operands[1:] in ((), (0.0,))
    if origin.operation == "integer_pow":
        return origin.exponent < 0 and operands == (0.0,)
    return origin.operation == "pow" and origin.made == "inf" and operands[:1] == (0.0,)


def _advice(origin: Origin, trouble: BadValue, of_slope: bool) -> Text:
    if not trouble.reaches:
        return say("No output of this run depends on it; a gradient may.")
    by_where = _is_by_where(trouble)
    of_power = origin.operation == "pow" and "jvp" in trouble.transforms
    if by_where or ((of_slope or of_power) and 0.0 in (origin.operands or ())):
        return say(
            "The value may be finite there while its slope is not. Replace the number before it goes in, as with "
            "jnp.where(x > 0, x, 1.0), and choose the result with a second jnp.where: a single one around the "
            "result leaves the gradient NaN."
        )
    if _divides_by_0(origin):
        return say("Where the divisor can be 0, replace it before the division: jnp.where(d == 0, 1.0, d).")
    if origin.operation in ("log", "log1p"):
        return say(
            "A logarithm needs a number above 0: keep its input away from 0, or compute with logarithms from the "
            "start, as jax.nn.log_softmax does."
        )
    if origin.operation in ("sqrt", "rsqrt") or (origin.operation == "pow" and origin.made == "nan"):
        # Not jnp.maximum(x, 0.0): at 0 the root has no slope, and rsqrt no value.
        return say(
            "Keep the input above 0, as with jnp.maximum(x, 1e-6); or replace it where it is not: jnp.where(x > 0, "
            "x, 1.0)."
        )
    if origin.operation.startswith("exp"):
        return say(
            "exp of a number this large does not fit {dtype}: subtract the largest number first, as jax.nn.softmax and "
            "jax.nn.logsumexp do.",
            dtype=origin.dtype,
        )
    if origin.operation == "cholesky":
        return say("The matrix is not positive definite: add a small number to its diagonal, as 1e-6 * jnp.eye(n).")
    if origin.made == "inf" and origin.operation in _GROWING:
        return say("The numbers grow too large for {dtype}: take smaller steps, or scale them.", dtype=origin.dtype)
    if origin.filled:
        return say("An index beyond the end reads NaN there: check the indices.")
    return say("Everything computed from it is wrong, too. Check the inputs.")


# -- types ------------------------------------------------------------------------------------


def _cast_words(fact: FailedChecks | RefusedDtype | NarrowedValue, place: Text) -> Text:
    if isinstance(fact, RefusedDtype):
        return say(
            "{place} asks for {asked} and gets {given}. JAX computes with 32 bits unless jax_enable_x64 is on: turn it "
            "on at the start of the program, or ask for {given}.",
            place=place,
            asked=fact.asked,
            given=fact.given,
        )
    if isinstance(fact, NarrowedValue):
        return say(
            "{place} stores {result} instead of {value}: it does not fit {dtype}. JAX computes with 32 bits unless "
            "jax_enable_x64 is on: turn it on at the start of the program, or scale the numbers.",
            place=place,
            value=fact.value,
            result=fact.became,
            dtype=fact.dtype,
        )
    if fact.site.operation == "convert_element_type":
        number, is_whole, result = fact.numbers
        value = f"{number:,}" if is_whole else f"{float(np.array(number, np.int32).view(np.float32)):g}"
        return say(
            "{place} turns {value} into {result}: it does not fit {dtype}. JAX raises no error. Check the range first, "
            "or take a type that holds it.",
            place=place,
            value=value,
            result=f"{result:,}",
            dtype=fact.site.dtype.name,
        )
    return say(
        "{place} does not fit {dtype}: {how} gives {result}. Integers wrap around, and JAX raises no error. {advice}",
        place=place,
        dtype=fact.site.dtype.name,
        how=_sum(fact),
        result=f"{fact.numbers[2]:,}",
        advice=_wider(fact.site.dtype),
    )


def _wider(dtype: np.dtype[Any]) -> Text:
    """Return a remedy for integers that do not fit `dtype`."""
    if dtype.itemsize < DEFAULT_BYTES:
        # An explicit dtype: 64 bits do not change it.
        return say("Convert to a wider dtype first: x.astype(jnp.int32).")
    if dtype.itemsize > DEFAULT_BYTES:
        return say("No integer dtype is wider: count in Python, or with floats if rounding does no harm.")
    if jax.config.read("jax_enable_x64"):
        return say("Convert to a wider dtype first: x.astype(jnp.int64).")
    return say(
        "Turn on 64 bits (jax_enable_x64), and use int64 where the code asks for int32; or keep such a count in Python."
    )


def _sum(seen: FailedChecks) -> Text | str:
    """Return the expression with its operands and its exact result."""
    first, second, _ = seen.numbers
    name = seen.site.operation
    if name in ("integer_pow", "square"):
        exponent = seen.site.exponent or 2
        return f"{first:,} ** {exponent} = {first**exponent:,}" if abs(exponent) < MOST_EXPONENT else say("it")
    truth = _exactly(name, first, second)
    return say("it") if truth is None else f"{first:,} {_SYMBOLS[name]} {second:,} = {truth:,}"


def _exactly(name: str, first: int, second: int) -> int | None:
    if name == "add":
        return first + second
    if name == "sub":
        return first - second
    if name == "mul":
        return first * second
    if not 0 <= second < MOST_EXPONENT:
        return None
    if name == "shift_left":
        return first << second
    return int(first**second) if name == "pow" else None
