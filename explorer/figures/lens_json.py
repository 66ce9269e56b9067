"""What lenses tell, in the JSON shape that scripts rely on: ``vmap.json`` and ``gradient.json``."""

from __future__ import annotations

from typing import Any

from explorer.messages.lenses.gradient import ForwardEquation, GradientLens
from explorer.messages.lenses.vmap import VmapEquation, VmapLens

Lens = VmapLens | GradientLens


def lens_record(lens: Lens) -> Any:
    """Return what is written of `lens`; types are as JAX writes them, sizes in bytes, lines from 1 and 0 for none."""
    return _vmap(lens) if isinstance(lens, VmapLens) else _gradient(lens)


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
