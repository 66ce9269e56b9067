"""Time by line, compared with kernels of known cost ratio, and with the time that a call loses with a line."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from explorer.figures.intervals import median_interval
from explorer.worker.runs.lenses.time import LineShare, time_lens
from explorer.worker.timing.sampling import Instruments, Track, calibrate, sample
from explorer.worker.timing.undisturbed import undisturbed

NAMES = {"jax": jax, "jnp": jnp, "lax": lax}
SIZE = 512
BUDGET_S = 3.0
COUNTS = 0.02
"""Lines with a smaller share are not deleted."""
RATIOS: tuple[tuple[Any, ...], ...] = (
    ("products, 1 and 2", 2, "x = x @ w", "x = (x @ w) @ w"),
    ("products of rows, 1 and 4", 4, "a = x[:128] @ w", "x = x @ w + a[0]"),
    ("products in a scan, 2 and 6", 3, *(
        f"x = lax.scan(lambda c, _: (c @ w, None), x, None, length={count})[0]" for count in (2, 6)
    )),
    ("tanh in a loop, 5 and 15", 3, *(
        f"x = lax.fori_loop(0, {count}, lambda _, c: jnp.tanh(c) * 1.01, x)" for count in (5, 15)
    )),
    ("FFTs, 1 and 2", 2, "x = jnp.fft.fft(x).real", "x = jnp.fft.ifft(jnp.fft.fft(x).real).real"),
    ("sorts of rows, 1 and 4", 4, "a = jnp.tanh(jnp.sort(x[:128]))", "x = jnp.tanh(jnp.sort(x)) + a[0]"),
)  # fmt: skip
"""What it is, the ratio of the work of two lines, and the lines."""
DELETED: tuple[tuple[str, ...], ...] = (
    ("x = x @ w", "x = jnp.sort(x, axis=-1)", "x = x @ w", "x = jnp.tanh(x) * 2", "x = jnp.exp(-(x**2))"),
    ("x = jnp.fft.fft(x).real", "x = lax.fori_loop(0, 4, lambda _, c: jnp.tanh(c @ w), x)", "x = x.cumsum(0)"),
    ("x = jax.nn.softmax(x @ w.T)", "x = x @ w", "x = jnp.exp(-(x**2))", "x = (x - x.mean(0)) / x.std(0)"),
    ("x = x @ w", "x = lax.fori_loop(0, 9, lambda _, c: jnp.exp(-c * c), x)", "x = jnp.sort(x)", "x = x @ w @ w"),
)  # fmt: skip
"""Lines, each of which may go."""


@dataclass(frozen=True)
class Held:
    """A figure of the lens, and what it is held to."""

    what: str
    figure: tuple[float, float, float]
    """Middle, low and high."""
    truth: tuple[float, float, float]

    @property
    def agrees(self) -> bool:
        """Whether the intervals meet."""
        return self.figure[1] <= self.truth[2] and self.truth[1] <= self.figure[2]

    def line(self) -> str:
        """Return it in one line."""
        ours, other = ("{:6.3f} ({:.3f} to {:.3f})".format(*each) for each in (self.figure, self.truth))
        return f"{self.what:58} {ours}  {other}  {'agrees' if self.agrees else 'differs'}"


def compare(repeats: int) -> Iterable[Held]:
    """Yield ratios of shares and known ratios, then shares and the time that a call loses without their lines."""
    for what, known, *lines in RATIOS:
        shares = {each.lines: each for each in measured(lines)}
        one, other = (shares.get((number,)) for number in (2, 3))
        if one is not None and other is not None:
            yield Held(what, _ratio(other, one), (known, known, known))
    for whole in DELETED:
        yield from _deleted(whole, repeats)


def measured(lines: Iterable[str]) -> list[LineShare]:
    """Return the shares of a program of these lines; the first is line 2."""
    lens = time_lens(program(lines), {"x": X, "w": W}, lambda filename: filename.startswith(FILE))
    return [LineShare(**each) for each in lens.data["shares"]]


def program(lines: Iterable[str]) -> Callable[..., Any]:
    """Return the function of these lines."""
    source = "\n    ".join(("def f(x, w):", *lines, "return x\n"))
    filename = f"{FILE} {abs(hash(source))}"
    linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
    names: dict[str, Any] = dict(NAMES)
    exec(compile(source, filename, "exec"), names)
    function: Callable[..., Any] = names["f"]
    return function


FILE = "time by line"
X = jax.random.normal(jax.random.key(0), (SIZE, SIZE))
W = jnp.eye(SIZE) + jnp.triu(jax.random.normal(jax.random.key(1), (SIZE, SIZE))) / SIZE


def _ratio(one: LineShare, other: LineShare) -> tuple[float, float, float]:
    (low, high), (below, above) = (
        (each.share, each.share) if each.low is None or each.high is None else (each.low, each.high)
        for each in (one, other)
    )
    return one.share / other.share, low / above, high / below


def _deleted(lines: tuple[str, ...], repeats: int) -> Iterator[Held]:
    for share in measured(lines):
        if share.share < COUNTS or not share.lines or share.low is None or share.high is None:
            continue
        kept = [each for number, each in enumerate(lines, 2) if number not in share.lines]
        deleted = "; ".join(lines[number - 2] for number in share.lines if number - 2 < len(lines))
        if len(kept) == len(lines):
            continue
        drop = _drop(lines, kept, repeats)
        yield Held(f"without {deleted}"[:57], (share.share, share.low, share.high), drop)


def _drop(lines: Iterable[str], kept: Iterable[str], repeats: int) -> tuple[float, float, float]:
    """Return the part of the time that a call loses, from blocks in turns."""
    with undisturbed():
        instruments = Instruments(jax.block_until_ready)
        tracks = []
        for each in (lines, kept):
            compiled = jax.jit(program(each)).lower(X, W).compile()
            tracks.append(Track(lambda compiled=compiled: compiled(X, W)))  # type: ignore[misc]
            calibrate(tracks[-1], instruments)
        sample(tracks, BUDGET_S * repeats / 9, instruments)
    whole, less = (dict(zip(each.repeats, each.samples, strict=True)) for each in tracks)
    drops = np.asarray([1 - less[number] / whole[number] for number in whole if number in less])
    low, high = median_interval(drops) or (np.nan, np.nan)
    return float(np.median(drops)), low, high
