"""An equation's value next to its row: the first and the last example, and how many of all differ."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QCoreApplication

from explorer.messages import EquationValue, Picture
from explorer.messages.late_numpy import np
from views.program.lenses.table_records import Piece

MOST = 3
"""Numbers of one example."""
TOO_MANY = 100_000
"""The most numbers of a value whose different examples are counted."""


def summary(value: EquationValue | None) -> list[Piece]:
    """Return the values that the selected equation bound, or why there are none; empty without a selection."""
    if value is None:
        return []
    bound = next(iter(value.pictures), None)
    if bound is None:
        return [Piece(str(value.sentence), "words")] if value.sentence else []
    return [Piece(_text(bound), "note" if bound.not_finite else "code")]


def _text(picture: Picture) -> str:
    values = picture.values.numpy()
    axes = [axis for axis in picture.mapped if axis < values.ndim]
    if not axes:
        return QCoreApplication.translate("LensValues", "Value: {numbers}.").format(numbers=_numbers(values))
    examples = np.moveaxis(values, axes, range(len(axes)))
    first, last = (0,) * len(axes), tuple(size - 1 for size in examples.shape[: len(axes)])
    if min(last) < 0 or not examples[first].size:
        return ""
    words = QCoreApplication.translate("LensValues", "Example {place}: {numbers}.")
    texts = [
        words.format(place=_place(each), numbers=_numbers(examples[each])) for each in dict.fromkeys((first, last))
    ]
    return " ".join([*texts, _differing(picture, examples, len(axes))]).strip()


def _differing(picture: Picture, examples: np.ndarray[Any, Any], axes: int) -> str:
    if examples.size != math.prod(picture.shape) or examples.size > TOO_MANY:
        # Some of it was not sent, or it would take long.
        return ""
    rows = examples.reshape(math.prod(examples.shape[:axes]), -1)
    if len(rows) == 1:
        return ""
    words = QCoreApplication.translate("LensValues", "{differing} of {count} differ.")
    distinct = len({row.tobytes() for row in rows})
    if distinct == 1:
        words = QCoreApplication.translate("LensValues", "All {count} are the same.")
    return words.format(differing=f"{distinct:,}", count=f"{len(rows):,}")


def _numbers(values: np.ndarray[Any, Any]) -> str:
    flat = values.reshape(-1)
    shown = " ".join(_number(each) for each in flat[:MOST].tolist())
    shown += " …" if flat.size > MOST else ""
    return f"[{shown}]" if values.ndim else shown


def _number(each: Any) -> str:
    return f"{each:.3g}" if isinstance(each, float) else str(each)


def _place(example: tuple[int, ...]) -> str:
    return ", ".join(map(str, example))
