"""The curves of a jitted function over its calls: in words, as an ``<svg>`` each, and where a value is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from explorer.messages import COLLECTED, Calls, Curve, Iterations
from explorer.messages.lazy_numpy import np
from explorer.text.html import Html, html, tag, with_code
from explorer.text.text import Text, joined, say, sentences

WIDTH, HEIGHT, MARGIN = 320, 56, 4
COLOURS = ("low", "high", "good")


def words(found: Iterations) -> Text:
    """Return the sentences above the curves."""
    number, length = found.first_not_finite + 1, found.length
    first = say("{length:,} calls, all values finite.", length=length)
    if found.primitive == COLLECTED:
        first = say("{length:,} numbers, all finite.", length=length)
    if number:
        first = say("NaN or infinity first appears in call {number:,} of {length:,}.", number=number, length=length)
        if found.primitive == COLLECTED:
            first = say(
                "NaN or infinity first appears in number {number:,} of {length:,}.", number=number, length=length
            )
    if found.stride == 1:
        return first
    drawn = say("Only every {stride:,}th is drawn; all were searched for NaN and infinity.", stride=found.stride)
    return sentences(first, drawn)


def verdict(calls: Calls) -> Text:
    """Return a verdict on the curves, in a few words with the numbers first."""
    found = calls.iterations
    if not calls.function and found.first_not_finite < 0:
        return say("{length:,} numbers: {names}", length=found.length, names=_names(calls))
    if found.first_not_finite < 0:
        return say("{length:,} calls, all values finite: {function}", length=found.length, function=calls.function)
    return say(
        "NaN or infinity in call {number:,} of {length:,}: {function}, line {line}",
        number=found.first_not_finite + 1,
        length=found.length,
        function=calls.function or _names(calls),
        line=calls.span.line,
    )


def title(calls: Calls) -> Text:
    """Return the function and the line of its call, for a heading; or the lists of numbers."""
    if not calls.function:
        first, last = calls.span.line, calls.span.end_line
        if first < last:
            return say("{names}, collected on lines {first} to {last}", names=_names(calls), first=first, last=last)
        return say("{names}, collected on line {line}", names=_names(calls), line=first)
    return say("{function}, called on line {line}", function=calls.function, line=calls.span.line)


def _names(calls: Calls) -> Text:
    return joined(", ", [each.name for each in calls.iterations.curves])


def bad_words(calls: Calls) -> Text:
    """Return the call in which the first NaN or infinity appears, and its cause, for a report; empty for none."""
    found = calls.iterations
    having = next((each for each in found.curves if each.first_not_finite == found.first_not_finite >= 0), None)
    if having is None:
        return Text()
    if not calls.function:
        return say(
            "{name} (line {line}): NaN or infinity first appears in number {number:,} of {length:,}.",
            name=having.name,
            line=calls.span.line,
            number=having.first_not_finite + 1,
            length=found.length,
        )
    first = say(
        "{name} of {function} (line {line}): NaN or infinity first appears in call {number:,} of {length:,}.",
        name=having.name,
        function=calls.function,
        line=calls.span.line,
        number=having.first_not_finite + 1,
        length=found.length,
    )
    return sentences(first, calls.cause.sentence if calls.cause is not None else Text())


def figure(calls: Calls) -> Html:
    """Return the curves as HTML: their words, names and pictures, with the call of the first NaN marked."""
    found = calls.iterations
    cause = tag("div", with_code(str(calls.cause.sentence))) if calls.cause is not None else Html()
    head = tag("b", str(title(calls))), tag("div", str(words(found))), cause
    return tag("div", *head, *(_drawn(curve, found, number) for number, curve in enumerate(found.curves)))


def _drawn(curve: Curve, found: Iterations, number: int) -> Html:
    low, high = curve_range(curve)
    ends = f"{low:.3g}" if low == high else f"{low:.3g} to {high:.3g}"
    name = html(tag("b", curve.name), f" {curve.type}: {ends}")
    frame = Html(f'<rect width="{WIDTH}" height="{HEIGHT}" style="fill:none;stroke:var(--k-dim);stroke-opacity:0.6"/>')
    parts = (_bad(curve, found), _line(curve, found, number, low, high), _first(found))
    svg = tag(
        "svg", *(html(*each) for each in parts), frame, viewBox=f"0 0 {WIDTH} {HEIGHT}", width=WIDTH, aria_hidden="true"
    )
    return tag("div", tag("div", name), svg)


def _bad(curve: Curve, found: Iterations) -> Iterator[Html]:
    """Yield a tint for each stretch of points with NaN or infinity."""
    numbers, half = found.numbers.numpy(), found.stride / max(1, found.length) / 2
    for places in stretches(curve.not_finite.numpy() > 0):
        left, right = (width_share(found, int(numbers[place])) for place in (places[0], places[-1]))
        start, end = max(0.0, left - half), min(1.0, right + half)
        where = f'x="{WIDTH * start:.1f}" y="0" width="{WIDTH * (end - start):.1f}" height="{HEIGHT}"'
        yield Html(f'<rect {where} style="fill:var(--k-bug);fill-opacity:0.15"/>')


def _line(curve: Curve, found: Iterations, number: int, low: float, high: float) -> Iterator[Html]:
    mean = curve.mean.numpy()
    inner = HEIGHT - 2 * MARGIN
    colour = COLOURS[number % len(COLOURS)]
    for places in stretches(mean == mean):
        xs = width_share(found, found.numbers.numpy()[places]) * WIDTH
        ys = HEIGHT - MARGIN - height_share(mean[places], low, high) * inner
        points = [f"{x:.1f},{y:.1f}" for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]
        # A line of one point needs a second one to be seen.
        drawn = " ".join(points if len(points) > 1 else points * 2)
        yield Html(
            f'<polyline points="{drawn}" style="fill:none;stroke:var(--k-{colour});stroke-width:1.5;'
            'stroke-linecap:round"/>'
        )


def _first(found: Iterations) -> Iterator[Html]:
    if found.first_not_finite >= 0:
        x = f"{WIDTH * width_share(found, found.first_not_finite):.1f}"
        line = f'<line x1="{x}" y1="0" x2="{x}" y2="{HEIGHT}"'
        yield Html(f'{line} style="stroke:var(--k-bug);stroke-width:1.5;stroke-dasharray:4 3"/>')


def curve_range(curve: Curve) -> tuple[float, float]:
    """Return the least and the greatest finite value of a curve; (0, 0) where there is none."""
    low, high = curve.least.numpy(), curve.most.numpy()
    some = np.isfinite(low) & np.isfinite(high)
    return (float(low[some].min()), float(high[some].max())) if some.any() else (0.0, 0.0)


def height_share(value: Any, low: float, high: float) -> Any:
    """Return the place of a value, or of each of an array of them, between `low` (0) and `high` (1)."""
    # Halves: the range of two finite numbers may be infinite.
    spread = high / 2 - low / 2
    return (value / 2 - low / 2) / spread if spread else value * 0 + 0.5


def width_share(iterations: Iterations, iteration: Any) -> Any:
    """Return the place of the middle of an iteration, or of each of an array of them, between 0 and 1."""
    return (iteration + 0.5) / max(1, iterations.length)


def stretches(holds: Any) -> list[Any]:
    """Return the indices of each unbroken run of true entries."""
    places = np.flatnonzero(holds)
    return [each for each in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(each)]
