"""What lenses tell, in the JSON shape that scripts rely on: ``vmap.json``, ``gradient.json``, ``devices.json``."""

from __future__ import annotations

from typing import Any

from explorer.messages.lenses.devices import DevicesLens, ShardedArray
from explorer.messages.lenses.gradient import ForwardEquation, GradientLens
from explorer.messages.lenses.vmap import VmapEquation, VmapLens

Lens = VmapLens | GradientLens | DevicesLens


def lens_record(lens: Lens) -> Any:
    """Return what is written of `lens`; types are as JAX writes them, sizes in bytes, lines from 1 and 0 for none."""
    if isinstance(lens, DevicesLens):
        return [_array(each) for each in lens.arrays]
    return _vmap(lens) if isinstance(lens, VmapLens) else _gradient(lens)


def _array(array: ShardedArray) -> dict[str, Any]:
    return {
        "array": array.name,
        "sharding": array.sharding,
        "pieces": [
            {"device": each.device, "index": each.index, "replicated": each.replicated} for each in array.pieces
        ],
    }


def _vmap(lens: VmapLens) -> dict[str, Any]:
    return {"axes": list(lens.axes), "equations": [_vmap_equation(each) for each in lens.equations]}


def _vmap_equation(equation: VmapEquation) -> dict[str, Any]:
    return {
        "id": equation.id,
        "primitive": equation.primitive,
        "line": equation.line,
        "one": list(equation.one),
        "batch": list(equation.batch),
        "mapped": [list(each) for each in equation.mapped],
        "became": equation.became,
    }


def _gradient(lens: GradientLens) -> dict[str, Any]:
    return {
        "forward": [_equation(each) for each in lens.forward],
        "backward": [{**_equation(each), "of": each.of} for each in lens.backward],
        "residuals": [
            {"id": each.id, "shape": each.shape, "bytes": each.bytes, "line": each.line} for each in lens.residuals
        ],
        "residual_bytes": lens.residual_bytes,
    }


def _equation(equation: ForwardEquation) -> dict[str, Any]:
    return {
        "id": equation.id,
        "primitive": equation.primitive,
        "line": equation.line,
        "outputs": list(equation.outputs),
        "finite": equation.finite,
    }
