"""image_axes(): whether an array is a batch of images; images_of(), pixels_of(): these and their pixels."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.messages import Picture
from views.noise.arrays.heat_colours import Scale, levels

Pixels = npt.NDArray[np.uint32]
Matrix = npt.NDArray[Any]

LEAST_SIDE = 6
MOST_SIDE = 2048
MOST_STRETCH = 4.0
"""The largest aspect ratio of an image."""
CHANNELS = (1, 3, 4)


class ImageAxes(msgspec.Struct, frozen=True):
    """The roles of the axes of a batch of images."""

    rows: int
    columns: int
    channels: int | None


def image_axes(shape: tuple[int, ...], row_axis: int) -> ImageAxes | None:
    """Return the axes of the images along `row_axis`, None where the array is no batch of images.

    Images are [height, width], [height, width, channels] or [channels, height, width].
    """
    rest = [axis for axis in range(len(shape)) if axis != row_axis]
    orders = {2: ((0, 1, None),), 3: ((0, 1, 2), (1, 2, 0))}.get(len(rest), ())
    for down, across, colour in orders:
        channels = shape[rest[colour]] if colour is not None else 1
        if channels in CHANNELS and _is_image_like(shape[rest[down]], shape[rest[across]]):
            return ImageAxes(rest[down], rest[across], rest[colour] if colour is not None else None)
    return None


def _is_image_like(height: int, width: int) -> bool:
    sides = sorted((height, width))
    return sides[0] >= LEAST_SIDE and sides[1] <= min(MOST_SIDE, MOST_STRETCH * sides[0])


def images_of(picture: Picture, row_axis: int, axes: ImageAxes) -> Matrix:
    """Return the images as a view [images, height, width, channels]."""
    values = picture.values.numpy()
    if axes.channels is None:
        return values.transpose(row_axis, axes.rows, axes.columns)[..., np.newaxis]
    return values.transpose(row_axis, axes.rows, axes.columns, axes.channels)


class Tones(msgspec.Struct, frozen=True):
    """The values of black and of full light in colour images."""

    dark: float
    bright: float


def tones_of(picture: Picture) -> Tones:
    """Return 0 to 255 for bytes, 0 to 1 for values that fit there, else the range of the values."""
    if np.dtype(picture.values.dtype).kind == "u" and picture.high <= 255:
        return Tones(0.0, 255.0)
    if picture.low >= 0 and picture.high <= 1:
        return Tones(0.0, 1.0)
    return Tones(picture.low, picture.high if picture.high > picture.low else picture.low + 1)


def pixels_of(image: Matrix, scale: Scale, table: Pixels, tones: Tones) -> Pixels:
    """Return uint32[height, width] (0xffRRGGBB) of `image` [height, width, channels].

    One channel takes the colours of the heatmap in `table`; three are red, green and blue between `tones`, and the
    fourth is left out.
    """
    if image.shape[2] == 1:
        return table[levels(image[..., 0], scale)]
    with np.errstate(invalid="ignore", over="ignore"):
        light = (image[..., :3].astype(np.float64) - tones.dark) / (tones.bright - tones.dark)
    octets = np.rint(np.clip(np.nan_to_num(light, nan=0.0, posinf=1.0, neginf=0.0), 0.0, 1.0) * 255).astype(np.uint32)
    return np.uint32(0xFF << 24) + (octets[..., 0] << 16) + (octets[..., 1] << 8) + octets[..., 2]
