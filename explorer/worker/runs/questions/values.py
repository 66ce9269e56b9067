"""Answers to questions for an equation's value in the last program, for the inputs of its trace."""

from __future__ import annotations

from dataclasses import dataclass

import jax
from jax.extend.core import JaxprEqn

from explorer.messages import EquationValue, Loop, Picture, Request, ValueRequest, is_as_it_was
from explorer.text.text import Text, say
from explorer.worker.code import transformed
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.errors import failure as errors
from explorer.worker.internals.batching.axes import BatchAxes
from explorer.worker.internals.printing import names, printed
from explorer.worker.pictures import pictures as noise
from explorer.worker.pictures.jaxpr_evaluator import Evaluator, Found, NoValue
from explorer.worker.process.clean import clean_state, outside
from explorer.worker.process.clean.clean_state import ProcessState
from explorer.worker.process.output import PrintedText
from explorer.worker.program import program
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.last_run import LastRun, forgotten


@dataclass(frozen=True)
class _Variant:
    """A traced variant."""

    state: ProcessState
    """Process state after the program's trace."""
    evaluator: Evaluator
    equations: list[JaxprEqn]
    """In the order of the text."""
    names: dict[int, tuple[list[str], list[str]]]


class Values:
    """Keeper of the last program; the first question about a variant loads and traces it anew."""

    def __init__(self) -> None:
        self.ran: LastRun | None = None
        self._variants: dict[str, _Variant] = {}
        self._axes = BatchAxes()

    def remember(self, request: Request, program: LoadedProgram, clean: ProcessState) -> None:
        """Keep the `program` of `request`, which started in the process state `clean`."""
        self.ran, self._variants, self._axes = LastRun(request, program, clean), {}, BatchAxes()

    def answer(self, request: ValueRequest, printed: PrintedText) -> EquationValue:
        """Return the outputs of the equation in `request`, or the reason why they are unknown."""
        ran = self.ran
        if ran is None or ran.request.run != request.about_run:
            return without(request, forgotten())
        try:
            with ran.again(printed):
                return self._answer(ran, request)
        except NoValue as reason:
            return without(request, reason.text, reason.loops)
        except outside.NotRunAgain as reason:
            return without(request, reason.text)
        except Interrupt:
            raise
        except BaseException as error:
            failure = errors.failure(error, ran.program.is_user_code)
            return without(request, say("It could not be computed: {what}", what=failure.words))

    def _answer(self, ran: LastRun, request: ValueRequest) -> EquationValue:
        if is_as_it_was(request.variant):
            return without(
                request, say("Values are shown for the code in the editor, not for the code before the edits.")
            )
        variant = self._variants.get(request.variant)
        if variant is None:
            variant = self._traced(ran, request.variant)
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
        return EquationValue(
            request.run, request.about_run, request.variant, request.equation, pictures, found.loops, sentence
        )

    def _traced(self, ran: LastRun, name: str) -> _Variant:
        loaded = ran.program.anew()
        with self._axes.watching_traces():
            prepared = transformed.prepared(loaded, name, loaded.inputs(), ran.request.transforms)
            jaxpr, arguments = program.traced(*prepared)
        self._axes.carry_on(jaxpr.jaxpr)
        equations = [each.equation for each in printed(jaxpr)[1]]
        made = self._variants[name] = _Variant(
            clean_state.ProcessState.now(), Evaluator(jaxpr, arguments), equations, names(jaxpr)
        )
        return made


def without(request: ValueRequest, sentence: Text, loops: tuple[Loop, ...] = ()) -> EquationValue:
    """Return an answer to `request` without a value, with the reason."""
    return EquationValue(
        request.run, request.about_run, request.variant, request.equation, loops=loops, sentence=sentence
    )


def _shared_words(pictures: tuple[Picture, ...], found: Found) -> Text:
    """Return a note if an equation under a vmap has no known example axis."""
    if not found.under_vmap or any(each.mapped for each in pictures) or not any(each.shape for each in pictures):
        return Text()
    return say(
        "This stands inside a vmap, but its axis of examples is not known: all examples share it, or vmap added "
        "this step."
    )


def _pictures(
    equation: JaxprEqn, found: Found, names: tuple[list[str], list[str]], axes: BatchAxes
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
