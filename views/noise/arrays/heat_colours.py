"""Scale, levels(), colour_table(): which colours suit which values, and numbers into pixels; text_colour()."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace
from PySide6.QtGui import QColor

from explorer.messages import Picture
from views.theme import Theme, blended

Kind = Literal["diverging", "sequential", "two-valued"]
Pixels = npt.NDArray[np.uint32]

LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
LEVELS = 256
NOT_FINITE = LEVELS
"""The level of NaN and infinity: one above all others."""
NOT_FINITE_SHARE = 0.5
"""How much of the grey of dim words their cells have: no colour of a scale is like it."""
FAR_OUT = 5.0
"""The multiple of the usual magnitude from which a value is an outlier; normal and exponential noise has none."""
USUAL_SHARE = 0.98
ROOM = 2.0
"""The multiple of the usual magnitude at which a scale without outliers ends."""
MOST_SAMPLED = 100_000
EVEN = 0.179
"""The luminance on which black and white are seen equally well: 4.6 to 1."""
WALL_BLACK, WALL_SATURATION = 0.15, 0.7
"""The level that a weak projector shows as black, the same distance from white, and its share of saturation."""
ENOUGH_TO_TELL = 64
"""This many values without a negative one are enough to call the distribution non-negative."""

# Zero is the colour of the paper, and the two arms darken (on dark paper: lighten) evenly. Blue against orange is
# distinguished in all common forms of colour blindness.
LIGHT_STOPS: dict[Kind, tuple[str, ...]] = {
    "diverging": (
        "#08306b", "#1a5aa0", "#4d8ac4", "#92bbdf", "#f8f7f4", "#eeb583", "#d5802f", "#a3500e", "#612b04",
    ),
    "sequential": ("#f8f7f4", "#c5d9ea", "#8ab3d8", "#4c88bd", "#1f5c9c", "#08306b"),
    "two-valued": ("#e6e9ee", "#0b5cad"),
}  # fmt: skip
DARK_STOPS: dict[Kind, tuple[str, ...]] = {
    "diverging": (
        "#c9e4ff", "#85bdf5", "#4a8fd6", "#2a5f99", "#14171c", "#8a4d18", "#c8752a", "#f2a55c", "#ffdcb0",
    ),
    "sequential": ("#14171c", "#1e3d5c", "#2c6797", "#4a95c9", "#85bdf0", "#d3e9ff"),
    "two-valued": ("#2a303a", "#6cb6ff"),
}  # fmt: skip


class Scale(msgspec.Struct, frozen=True):
    """The values at the ends of the colour bar, `high` above 0; two pictures on one scale can be compared by eye."""

    kind: Kind
    low: float
    high: float

    def share(self, value: Any) -> Any:
        """Return the position of `value`, number or array: 0 at the low end, 1 at the high end; never overflows."""
        least = self.low / self.high
        return (value / self.high - least) / (1 - least)


def scale_of(pictures: Sequence[Picture], *, whole: bool = False) -> Scale:
    """Return one scale for all of `pictures`: two colours for truth values, centred on zero for signed ones.

    The scale leaves out a few outliers, because they would make all others look alike; with `whole` it includes them.
    """
    low = min((picture.low for picture in pictures), default=0.0)
    high = max((picture.high for picture in pictures), default=0.0)
    if pictures and all(picture.dtype == "bool" for picture in pictures):
        return Scale("two-valued", 0.0, 1.0)
    furthest = max(abs(low), abs(high)) or 1.0
    usual = max((_usual(picture) for picture in pictures), default=0.0)
    if not whole and 0 < usual * FAR_OUT < furthest:
        furthest = usual * ROOM
    if pictures and low >= 0 and all(map(_has_no_sign, pictures)):
        return Scale("sequential", 0.0, furthest)
    return Scale("diverging", -furthest, furthest)


def scale_of_curves(pictures: Sequence[Picture]) -> Scale:
    """Return one scale for all values of `pictures`, with zero: at the lower end, or centred for signed ones."""
    scale = scale_of(pictures, whole=True)
    is_signed = any(picture.low < 0 for picture in pictures)
    return scale if is_signed else replace(scale, low=0.0)


def _usual(picture: Picture) -> float:
    """Return the size that all but the largest 2 % of the values stay under, from a sample of them."""
    values = picture.values.numpy().reshape(-1)
    sizes = np.abs(values[:: max(1, values.size // MOST_SAMPLED)].astype(np.float64))
    sizes = sizes[np.isfinite(sizes)]
    place = int(USUAL_SHARE * sizes.size)
    return float(np.partition(sizes, place)[place]) if sizes.size else 0.0


def _has_no_sign(picture: Picture) -> bool:
    if np.dtype(picture.values.dtype).kind != "f":
        return True
    return picture.role != "difference" and int(np.prod(picture.shape)) >= ENOUGH_TO_TELL


def levels(values: npt.NDArray[Any], scale: Scale) -> npt.NDArray[np.uint16]:
    """Return uint16 positions of the values on `scale`, 0 to 255, and NOT_FINITE for NaN and infinity."""
    wide = np.float64 if scale.high > LARGEST_FLOAT32 else np.float32
    # In place as far as it goes: this is done for every frame that is panned.
    places = np.array(values, np.result_type(values, wide))
    places /= scale.high
    finite = np.isfinite(places)
    least = scale.low / scale.high
    places *= (LEVELS - 1) / (1 - least)
    places -= least * (LEVELS - 1) / (1 - least)
    np.rint(places, out=places)
    np.clip(places, 0, LEVELS - 1, out=places)
    if not finite.all():
        places[~finite] = NOT_FINITE
    return places.astype(np.uint16)


@functools.lru_cache(maxsize=8)
def colour_table(kind: Kind, theme: Theme) -> Pixels:
    """Return uint32[257]: the pixel (0xffRRGGBB) of every level, the last one for values that are not finite."""
    stops = (DARK_STOPS if theme.dark else LIGHT_STOPS)[kind]
    colours = [QColor(stop) for stop in stops]
    channels = np.array([(each.red(), each.green(), each.blue()) for each in colours], np.float64)
    places = np.linspace(0, len(stops) - 1, LEVELS)
    if kind == "two-valued":
        places = np.rint(places)
    red, green, blue = (np.rint(np.interp(places, np.arange(len(stops)), channel)) for channel in channels.T)
    table = (0xFF << 24) + (red.astype(np.uint32) << 16) + (green.astype(np.uint32) << 8) + blue.astype(np.uint32)
    whole = np.append(table, blended(theme.dim, theme.panel, NOT_FINITE_SHARE).rgb()).astype(np.uint32)
    whole.flags.writeable = False
    return whole


def text_colour(pixel: int, *, on_stage: bool = False) -> QColor:
    """Return black or white, the more readable one on `pixel`; with `on_stage`, on a weak projector."""
    colour = QColor.fromRgb(pixel)
    parts = [colour.redF(), colour.greenF(), colour.blueF()]
    if on_stage:
        stretched = [min(1.0, max(0.0, (part - WALL_BLACK) / (1 - 2 * WALL_BLACK))) for part in parts]
        grey = (min(stretched) + max(stretched)) / 2
        parts = [grey + (part - grey) * WALL_SATURATION for part in stretched]
    luminance = sum(share * part**2.2 for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return QColor("#000000" if luminance > EVEN else "#ffffff")
