"""The vmap lens on random programs, compared with JAX: the batch, one example, and the recorder's findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import pytest
from jax.extend.core import jaxprs_in_params

from explorer.messages import Equation
from explorer.worker.lineage.key_graph import key_lineage
from explorer.worker.lineage.sharing import draws
from explorer.worker.program.equations import text_and_equations
from explorer.worker.program.program import traced
from explorer.worker.recording import recorder
from explorer.worker.runs.lenses.batched import VmapEquation
from explorer.worker.runs.lenses.vmap import Vmaps, vmaps
from tests.worker.runs.lenses import vmap_programs
from tests.worker.runs.lenses.vmap_programs import Program

One = tuple[str, tuple[str, ...]]
"""Primitive and types of the outputs of an operation."""


def is_here(name: str) -> bool:
    return name == vmap_programs.__file__


def differences(seed: int, depth: int, run: bool = True) -> Iterator[str]:
    """Yield the errors of the lens on random program number `seed`, which is recorded if it is to `run`."""
    program = vmap_programs.make(seed, depth)
    lens = vmaps(program.call, program.inputs, is_here)
    if lens.equation_count != len(text_of(program)):
        # After hundreds of programs JAX has forgotten some of what it traced, and traces it twice.
        jax.clear_caches()
        program.mapped.clear()
        lens = vmaps(program.call, program.inputs, is_here)
    if not lens.equations:
        yield str(lens.sentence)
        return
    mapped = program.mapped[:]
    yield from wrong_batch(lens, program)
    yield from wrong_examples(lens, mapped)
    if run:
        yield from wrong_noise(lens, program)


def text_of(program: Program) -> tuple[Equation, ...]:
    """Return the equations of `program` as they are shown."""
    jaxpr, _ = traced(program.call, program.inputs)
    return text_and_equations(jaxpr, is_here)[1]


def wrong_batch(lens: Vmaps, program: Program) -> Iterator[str]:
    """Yield where the batched types are not those of the program itself."""
    equations = text_of(program)
    for row in lens.equations:
        there = equations[row.id]
        if there.output != " ".join(row.batch) and not set(row.batch) <= {
            one for each in (row.id, *row.others) for one in equations[each].output.split()
        }:
            yield f"batch: {row} but {there}"
        for one, batch, axes, along in zip(row.one, row.batch, row.mapped, row.along, strict=True):
            if with_axes(one, {axis: lens.calls[of].size for axis, of in zip(axes, along, strict=True)}) != batch:
                yield f"axes: {one} with {axes} is not {batch}"


def with_axes(one: str, sizes: dict[int, int]) -> str:
    """Return the type `one` with axes of these sizes put in."""
    kind, _, shape = one.rpartition("[")
    left = [each for each in shape.rstrip("]").split(",") if each]
    for axis, size in sorted(sizes.items()):
        left.insert(axis, str(size))
    return f"{kind}[{','.join(left)}]"


def wrong_examples(lens: Vmaps, mapped: list[tuple[Any, Any]]) -> Iterator[str]:
    """Yield where the operations of one example are not those of the mapped function by itself."""
    expected = []
    for function, types in mapped:
        expected.append(list(operations(jax.make_jaxpr(function)(*types).jaxpr)))
    for number in range(len(lens.calls)):
        found = [row_types(row) for row in lens.equations if row.calls[-1] == number]
        if found not in expected:
            closest = min(expected, key=lambda each: abs(len(each) - len(found)))
            pairs = zip([*found, *[None] * 99], closest, strict=False)
            wrong = next(((one, other) for one, other in pairs if one != other), (len(found), len(closest)))
            yield f"one example of vmap {number}: {wrong}"


def row_types(row: VmapEquation) -> One:
    return row.primitive, row.one


def operations(jaxpr: Any) -> Iterator[One]:
    """Yield the operations of `jaxpr`, however deep, but for those under a further vmap."""
    for equation in jaxpr.eqns:
        if "vmap" not in str(equation.source_info.name_stack):
            yield equation.primitive.name, tuple(each.aval.str_short(short_dtypes=True) for each in equation.outvars)
            for inner in jaxprs_in_params(equation.params):
                yield from operations(inner)


def wrong_noise(lens: Vmaps, program: Program) -> Iterator[str]:
    """Yield the draws, by their lengths, that only the lens or only the recorder takes for shared noise."""
    recording = recorder.record(lambda: program.call(**program.inputs), is_user_code=is_here)
    if recording.error is not None:
        raise recording.error
    drawn, shared = set(), set()
    for uses in key_lineage(recording, outputs=recording.result).book.uses:
        if uses.event.operation == "draw":
            drawn |= {uses.event.shape}
            shared |= {uses.event.shape} if draws(uses).shared else set()
    rows = [row for row in lens.equations if row.is_draw]
    seen = {shape_of(row) for row in rows if row.shared}
    # Of examples that take different branches there may be only one that draws.
    certain = {shape_of(row) for row in rows if row.shared and not under_chosen_branch(lens, row)}
    if not shared <= seen:
        yield f"noise: {shared - seen} are shared, and the lens does not say so"
    if not certain & drawn <= shared:
        yield f"noise: {certain & drawn - shared} are not shared, but the lens says so"


def shape_of(row: VmapEquation) -> tuple[int, ...]:
    return tuple(int(each) for each in row.one[0].partition("[")[2].rstrip("]").split(",") if each)


def under_chosen_branch(lens: Vmaps, row: VmapEquation) -> bool:
    while row.inside >= 0:
        row = lens.equations[row.inside]
        if row.primitive in ("cond", "while") and any(row.mapped):
            return True
    return False


@pytest.mark.parametrize("seed", range(6))
def test_the_lens_of_random_programs_says_what_jax_says(seed: int) -> None:
    assert list(differences(seed, depth=2, run=False)) == []


@pytest.mark.parametrize("seed", [102, 109])
def test_the_lens_of_random_programs_says_what_the_recorder_says(seed: int) -> None:
    assert list(differences(seed, depth=1)) == []
