"""What lenses tell, in the JSON shape that scripts rely on: ``vmap.json``, ``gradient.json`` and so on."""

from __future__ import annotations

from typing import Any

from explorer.messages.lenses.calls import CallsLens, Given, LensCall
from explorer.messages.lenses.devices import DevicesLens, ShardedArray
from explorer.messages.lenses.gradient import ForwardEquation, GradientLens
from explorer.messages.lenses.vmap import VmapEquation, VmapLens

Lens = VmapLens | GradientLens | CallsLens | DevicesLens


def lens_record(lens: Lens) -> Any:
    """Return what is written of `lens`; types are as JAX writes them, sizes in bytes, lines from 1 and 0 for none."""
    if isinstance(lens, CallsLens):
        return [_call(each) for each in lens.calls]
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
        "became": str(equation.became),
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


def _call(call: LensCall) -> dict[str, Any]:
    asked = {name: value for each in call.asked.given for name, value in _given(each).items()}
    return {
        "call": call.number,
        "function": call.function,
        "hit": call.hit,
        "lines": list(call.lines),
        "asked": {**asked, "structure": call.asked.structure, "function object": call.asked.function},
        "differs": [f"{each.part} of {each.name}" if each.name else each.part for each in call.differs],
        "nearest": call.nearest,
        "traces": call.traces,
        "printed": call.printed,
        "leaks": [{"name": each.name, "type": each.type, "line": each.line} for each in call.leaks],
        "stale": [{"name": each.name, "used": each.used, "now": each.now} for each in call.stale],
        "error": call.error,
    }


def _given(given: Given) -> dict[str, Any]:
    if given.static is not None:
        return {f"static value of {given.name}": given.static}
    parts = {"shape": given.shape, "dtype": given.dtype, "weak type": given.weak}
    return {f"{part} of {given.name}": value for part, value in parts.items()}
