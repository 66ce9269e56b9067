"""A value under vmap for one example: the array indexed along the axes of the examples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from explorer.messages import Array, Picture
from views.noise.arrays.array_words import value_words

Examples = tuple[int | None, ...]
"""For each vmap around a value, the outermost first, the chosen example, None for all of them."""

_SHORT = {"float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c"}


def choices(picture: Picture | None) -> tuple[int, ...]:
    """Return the number of examples of each vmap; () where one example is a single row anyway."""
    if picture is None or len(picture.shape) < 2:
        return ()
    return tuple(picture.values.shape[axis] for axis in picture.mapped)


def chosen(picture: Picture, examples: Examples) -> dict[int, int]:
    """Return the chosen example by axis of `picture`; the last one where there are fewer."""
    pairs = zip(picture.mapped, choices(picture), examples, strict=False)
    return {axis: min(example, count - 1) for axis, count, example in pairs if example is not None and count}


def one_example(picture: Picture, examples: Examples) -> Picture:
    """Return `picture` as the chosen examples see it; its rows are examples only where a vmap is left whole."""
    places = chosen(picture, examples)
    if not places:
        return picture
    left = [axis for axis in range(len(picture.shape)) if axis not in places]
    mapped = tuple(left.index(axis) for axis in picture.mapped if axis in left)
    values = picture.values.numpy()[tuple(places.get(axis, slice(None)) for axis in range(len(picture.shape)))]
    finite = values[np.isfinite(values)]
    seen = msgspec.structs.replace(
        picture,
        shape=tuple(picture.shape[axis] for axis in left),
        values=Array.of(np.ascontiguousarray(values).reshape(values.shape)),
        axis=mapped[0] if mapped else -1,
        groups=Array.of(np.empty(0, np.int32)),
        distinct=0,
        low=float(finite.min()) if finite.size else 0.0,
        high=float(finite.max()) if finite.size else 0.0,
        not_finite=int(values.size - finite.size),
        mapped=mapped,
    )
    return msgspec.structs.replace(seen, verdict=_verdict(seen, list(places.values()), values))


def _verdict(seen: Picture, examples: Sequence[int], values: npt.NDArray[Any]) -> str:
    numbers = ", ".join(map(str, examples))
    title = QCoreApplication.translate("one_example", "{name} of example {examples}").format(
        name=seen.name, examples=numbers
    )
    title = f"{title}: {_short_type(seen)}"
    if not values.size:
        return title
    if not values.ndim:
        return f"{title} = {value_words(values[()])}"
    if values.dtype == bool:
        words = QCoreApplication.translate("one_example", "{title}, {true} of {all} true")
        return words.format(title=title, true=f"{int(values.sum()):,}", all=f"{values.size:,}")
    words = QCoreApplication.translate("one_example", "{title} from {low} to {high}")
    text = words.format(title=title, low=f"{seen.low:.4g}", high=f"{seen.high:.4g}")
    if not seen.not_finite:
        return text
    missing = QCoreApplication.translate("one_example", "{count} NaN or infinite")
    return f"{text}, {missing.format(count=f'{seen.not_finite:,}')}"


def _short_type(picture: Picture) -> str:
    """Return the type as JAX writes it: ``f32[10]``."""
    letters, bits = re.fullmatch(r"([a-z]*)(.*)", picture.dtype).groups()  # type: ignore[union-attr]
    return f"{_SHORT.get(letters, letters)}{bits}[{','.join(map(str, picture.shape))}]"
