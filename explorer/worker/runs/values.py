"""Answers to questions on the last program (`ValueAnswers`): the value of an equation, the curves of a loop."""

from __future__ import annotations

import math
from collections.abc import Callable

import jax
import msgspec
import numpy as np
from jax.extend.core import JaxprEqn
from msgspec.structs import replace

from explorer.messages import (
    LOOPS,
    Array,
    Curve,
    EquationValue,
    Iterations,
    Loop,
    Picture,
    Request,
    ValueRequest,
    is_original,
)
from explorer.text.text import Text, say
from explorer.worker.code import transformed
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.errors import failure as errors
from explorer.worker.internals.batching.axes import BatchAxes
from explorer.worker.internals.printing import names, printed
from explorer.worker.pictures import loop_curves
from explorer.worker.pictures import pictures as noise
from explorer.worker.pictures.jaxpr_evaluator import EvaluatedEquation, Evaluator, LoopIterations, NoValue
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import clean_state, side_effects
from explorer.worker.process.clean.clean_state import ProcessState
from explorer.worker.program import program
from explorer.worker.program.equations import type_text
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.isolated import LastRun, forgotten


class _Variant(msgspec.Struct, frozen=True):
    """A traced variant."""

    state: ProcessState
    """Process state after the program's trace."""
    evaluator: Evaluator
    equations: list[JaxprEqn]
    """In the order of the text."""
    names: dict[int, tuple[list[str], list[str]]]
    iterations: dict[tuple[int, tuple[int, ...]], Iterations | None] = {}
    """By the index of an equation and the iterations of the loops around its loop."""

    def complete(self, answer: EquationValue, channel: Channel, is_user_code: Callable[[str], bool]) -> EquationValue:
        """Return `answer` with its curves; it is sent as it is before they are computed."""
        equation, loops = self.equations[answer.equation], answer.loops
        fixed = loops if equation.primitive.name in LOOPS else loops[:-1]
        place = answer.equation, tuple(each.step for each in fixed)
        if place not in self.iterations:
            channel.send(replace(answer, complete=False))
            try:
                found = self.evaluator.iterations(equation, place[1])
                self.iterations[place] = self._record(equation, found) if found is not None else None
            except Interrupt:
                raise
            except BaseException as error:
                what = str(error.text) if isinstance(error, NoValue) else errors.failure(error, is_user_code).words
                nothing = Iterations(equation.primitive.name, 0, len(fixed), Array.of([], np.int64))
                sentence = say("It could not be computed: {what}", what=what)
                return replace(answer, iterations=replace(nothing, sentence=sentence))
        return replace(answer, iterations=self.iterations[place])

    def _record(self, equation: JaxprEqn, found: LoopIterations) -> Iterations:
        numbers = {id(each): number for number, each in enumerate(self.equations)}
        run, points = found.run, found.points
        if run.equation is equation:
            watched = run.watched()
            makers = {place: loop_curves.maker(run.body, place) for place in found.chosen}
        else:
            names = self.names[id(equation)][0]
            watched = [("value", name, each.aval) for name, each in zip(names, equation.outvars, strict=True)]
            makers = dict.fromkeys(found.chosen, equation)
        curves = []
        for place, summary, first in zip(found.chosen, points.summaries, points.first_not_finite, strict=True):
            role, name, aval = watched[place]
            made = numbers.get(id(makers[place]), -1)
            size = math.prod(aval.shape)
            curves.append(Curve(role, name, type_text(aval).lstrip("~"), made, size, **summary, first_not_finite=first))
        return Iterations(
            run.equation.primitive.name,
            run.length,
            found.around,
            Array.of(points.numbers, np.int64),
            tuple(curves),
            found.left_out,
            found.first_not_finite,
            numbers.get(id(found.origin), -1),
        )


class ValueAnswers:
    """Keeper of the last program; the first question about a variant loads and traces it anew."""

    def __init__(self) -> None:
        self.ran: LastRun | None = None
        self._variants: dict[tuple[str, str], _Variant] = {}
        """By name, and by the function of a script."""
        self._axes = BatchAxes()

    def remember(self, request: Request, program: LoadedProgram, clean: ProcessState) -> None:
        """Keep the `program` of `request`, which started in the process state `clean`."""
        self.ran, self._variants, self._axes = LastRun(request, program, clean), {}, BatchAxes()

    def answer(self, request: ValueRequest, channel: Channel) -> EquationValue:
        """Return the outputs of the equation in `request`, a loop's before its curves, or why they are unknown."""
        ran = self.ran
        if ran is None or ran.request.run != request.about_run:
            return without(request, forgotten())
        try:
            with ran.again(channel.printed):
                return self._answer(ran, request, channel)
        except NoValue as reason:
            return without(request, reason.text, reason.loops)
        except side_effects.NotRunAgain as reason:
            return without(request, reason.text)
        except Interrupt:
            raise
        except BaseException as error:
            failure = errors.failure(error, ran.program.is_user_code)
            return without(request, say("It could not be computed: {what}", what=failure.words))

    def _answer(self, ran: LastRun, request: ValueRequest, channel: Channel) -> EquationValue:
        if is_original(request.variant):
            return without(
                request, say("Values are shown for the code in the editor, not for the code before the edits.")
            )
        variant = self._variants.get((request.variant, request.subject))
        if variant is None:
            variant = self._traced(ran, request.variant, request.subject)
        else:
            variant.state.restore()
        if not 0 <= request.equation < len(variant.equations):
            return without(request, forgotten())
        equation = variant.equations[request.equation]
        found = variant.evaluator.values(equation, request.steps)
        jax.block_until_ready([*found.outputs, *found.operands])
        pictures = _pictures(equation, found, variant.names[id(equation)], self._axes)
        sentence = _shared_words(pictures, found)
        if not pictures:
            sentence = say("{primitive} binds and reads no array.", primitive=equation.primitive.name)
        answer = EquationValue(
            request.run, request.about_run, request.variant, request.equation, pictures, found.loops, sentence
        )
        if not found.loops and equation.primitive.name not in LOOPS:
            return answer
        return variant.complete(answer, channel, ran.program.is_user_code)

    def _traced(self, ran: LastRun, name: str, subject: str) -> _Variant:
        loaded = ran.program.anew(until=subject)
        with self._axes.watching_traces():
            jaxpr, arguments = program.traced(*transformed.prepared(loaded, name))
        self._axes.carry_on(jaxpr.jaxpr)
        equations = [each.equation for each in printed(jaxpr)[1]]
        made = self._variants[name, subject] = _Variant(
            clean_state.ProcessState.now(), Evaluator(jaxpr, arguments), equations, names(jaxpr)
        )
        return made


def without(request: ValueRequest, sentence: Text, loops: tuple[Loop, ...] = ()) -> EquationValue:
    """Return an answer to `request` without a value, with the reason."""
    return EquationValue(
        request.run, request.about_run, request.variant, request.equation, loops=loops, sentence=sentence
    )


def _shared_words(pictures: tuple[Picture, ...], found: EvaluatedEquation) -> Text:
    """Return a note if an equation under a vmap has no known example axis."""
    if not found.under_vmap or any(each.mapped for each in pictures) or not any(each.shape for each in pictures):
        return Text()
    return say(
        "This stands inside a vmap, but its axis of examples is not known: all examples share it, or vmap added "
        "this step."
    )


def _pictures(
    equation: JaxprEqn, found: EvaluatedEquation, names: tuple[list[str], list[str]], axes: BatchAxes
) -> tuple[Picture, ...]:
    bound, read = names
    outputs = zip(bound, found.outputs, equation.outvars, strict=True)
    # Literals are visible in the text.
    operands = (
        each
        for each in zip(read, found.operands, equation.invars, strict=True)
        if not hasattr(each[2], "val") and each[0] not in bound
    )
    made = (noise.value(name, value, axes.of(variable)) for name, value, variable in (*outputs, *operands))
    return tuple(each for each in made if each is not None)
