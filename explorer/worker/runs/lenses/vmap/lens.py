"""The vmap lens: per-example and batched computation side by side, equation by equation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax.numpy as jnp
from jax.extend.core import ClosedJaxpr, JaxprEqn

from explorer.messages import Span
from explorer.messages.lenses.vmap import AXES, VmapCall, VmapEquation, VmapLens, VmapValue
from explorer.text.text import Text, say
from explorer.worker.errors.failure import failure
from explorer.worker.internals.batching.steps import Map, Mapped
from explorer.worker.internals.batching.watching import steps_noted
from explorer.worker.internals.printing import equations_printed
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.process.garbage import collected_rarely
from explorer.worker.program.equations import Places, Types
from explorer.worker.program.program import Call, traced
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lens import Asked, Ended, Functions, LensWork
from explorer.worker.runs.lenses.vmap.batching_words import CALLBACKS
from explorer.worker.runs.lenses.vmap.operation_rows import MOST, Rows


def vmap_lens(call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]) -> VmapLens:
    """Return the effect of the vmaps in `call` with its arguments `inputs`.

    The call is traced once more. `is_user_code` decides by file name. If the call cannot be traced, or contains no
    vmap, the record says so.
    """
    with collected_rarely():
        return _lens(call, inputs, is_user_code)


def _lens(call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]) -> VmapLens:
    try:
        with steps_noted() as steps:
            jaxpr, _ = traced(call, inputs)
    except Interrupt:
        raise
    except BaseException as error:
        raised = failure(error, is_user_code)
        return VmapLens(sentence=say("It cannot be traced, so there is nothing to compare."), failure=raised)
    finder = SpanFinder(is_user_code)
    text = equations_printed(jaxpr)
    rows = Rows(steps, {id(each): number for number, each in enumerate(text)}, _spans(jaxpr, text, finder))
    rows.add(jaxpr)
    equations, maps = tuple(rows.equations), list(rows.maps)
    calls = _Calls(finder, equations)
    called = tuple(map(calls.record, maps, range(len(maps))))
    return VmapLens(called, equations, len(text), sentence=_sentence(equations, text))


def _spans(jaxpr: ClosedJaxpr, text: list[JaxprEqn], finder: SpanFinder) -> dict[int, Span | None]:
    """Return the span in user code of each equation of the text, by id."""
    places = Places(finder)
    places.visit(jaxpr.jaxpr, None, 0)
    return {id(each): places.of(each)[0] for each in text}


def _sentence(equations: tuple[VmapEquation, ...], text: list[JaxprEqn]) -> Text:
    if not equations:
        return say("No vmap maps anything in this variant.")
    if len(equations) >= MOST:
        return say("Only the first {count} operations are shown.", count=MOST)
    if any(each.primitive in CALLBACKS for each in equations):
        return say("It calls Python on the host: the work of Python on the batch cannot be seen.")
    if any(each.primitive == "custom_vmap_call" for each in equations):
        return say("A function has its own rule for vmap: its work on one example cannot be seen.")
    shown = {number for each in equations for number in (each.id, *each.others)}
    if any(_is_backward(each) for number, each in enumerate(text) if number not in shown):
        return say("The backward pass of a gradient around vmap is not shown: no example computes it by itself.")
    return Text()


def _is_backward(equation: JaxprEqn) -> bool:
    stack = str(equation.source_info.name_stack)
    return "transpose(" in stack and "vmap(" in stack


class _Calls:
    """Converter of vmaps to records, for one lens."""

    def __init__(self, finder: SpanFinder, equations: tuple[VmapEquation, ...]) -> None:
        self._finder, self._types = finder, Types()
        self._levels: dict[int, int] = {}
        self._around: dict[int, int] = {}
        for equation in equations:
            for level, number in enumerate(equation.calls):
                self._levels[number] = max(level, self._levels.get(number, 0))
                if level:
                    self._around.setdefault(number, equation.calls[level - 1])

    def record(self, each: Map, number: int) -> VmapCall:
        """Return `each` as a record, with the index `number` in the lens."""
        names = each.names or ()
        arguments = [
            self._value(names[place] if len(names) == len(each.arguments) else f"argument {place + 1}", value)
            for place, value in enumerate(each.arguments)
        ]
        outputs = [
            self._value("output" if place == 0 else f"output {place + 1}", value)
            for place, value in enumerate(each.outputs)
        ]
        return VmapCall(
            AXES[self._levels[number] % len(AXES)],
            each.size,
            each.function,
            self._finder.innermost(each.called),
            tuple(arguments),
            tuple(outputs),
            self._around.get(number, -1),
        )

    def _value(self, name: str, value: Mapped) -> VmapValue:
        return VmapValue(name, self._types.of(value.one), self._types.of(value.batch), value.axis)


def _has_to_say(ended: Ended) -> bool:
    return not ended.failed and ended.program is not None and ended.program.mapped


def _tell(asked: Asked) -> VmapLens:
    with asked.again():
        return vmap_lens(*asked.prepared())


def _works(made: Functions, is_ours: Callable[[str], bool]) -> bool:
    lens = vmap_lens(made["batch"], {"x": jnp.ones(4)}, is_ours)
    found = [(each.primitive, each.one, each.batch) for each in lens.equations]
    return found == [(name, ("f32[]",), ("f32[4]",)) for name in ("sin", "mul")]


LENS = LensWork(_has_to_say, _tell, _works)
