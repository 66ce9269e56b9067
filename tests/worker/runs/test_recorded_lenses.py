"""The lenses of a recorded program: those of its largest jitted function, compiled and not run."""

from __future__ import annotations

import linecache
import re
from pathlib import Path

import pytest

from explorer.commands.programs import saved_run
from explorer.library import recording_file
from explorer.messages import TOP_LEVEL, LensAnswer, Report
from explorer.messages.recorded_run import RecordedRun
from explorer.messages.tables import Lens, Row, Table
from explorer.worker.recording.jitted_calls import JittedCalls
from explorer.worker.recording.recorder import Recording
from explorer.worker.runs import in_process, recorded_lenses

FILE, OTHER_FILE = "/home/somebody/work/train.py", "/home/somebody/work/layers.py"
LAYERS = """
import jax.numpy as jnp

def distances(x):
    return jnp.sin(x[:, None] - x[None, :])
"""
TRAIN = """
import jax
import jax.numpy as jnp
from functools import partial

@partial(jax.jit, donate_argnums=0, static_argnames="power")
def step(x, key, power):
    keep = jax.random.bernoulli(key, 0.9, x.shape)
    all_pairs = jnp.cumsum(x[:, None] - x[None, :], axis=0)
    return x - jnp.sum(jnp.sort(all_pairs) ** power, axis=1) * keep

@jax.jit
def small(x):
    print("traced")
    return x + 1

x = small(jnp.zeros(300))
for key in jax.random.split(jax.random.key(0), 3):
    x = step(x, key, power=2)
"""


def of(source: str) -> LensAnswer:
    """Return the only lens of the program `source`, which may use the names in LAYERS."""
    names: dict[str, object] = {}
    with in_process.recorded(FILE, lenses=True) as recording:
        try:
            for file, text in ((OTHER_FILE, LAYERS), (FILE, source)):
                linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
                exec(compile(text, file, "exec"), names)
        except ValueError as error:
            recording.error = error
    (answer,) = recorded_lenses.answers(recording, FILE)
    return answer


def memory(answer: LensAnswer) -> Lens:
    assert answer.name == "memory"
    assert answer.lens is not None
    return answer.lens


@pytest.mark.parametrize("end", ["", "raise ValueError(x)"])
def test_the_memory_is_that_of_the_largest_function_that_ran(end: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = of(TRAIN + end)
    assert str(answer.sentence) == (
        "This is step, called on line 19, the jitted function with the most bytes. "
        "1 other jitted function is not shown. "
        "The lenses vmap, gradient, calls, time trace or run the program: open it as a program."
    )
    lens = memory(answer)
    assert lens.data["peak_bytes"] > 4 * 300 * 300
    assert [row.cells[0].text for row in lens.table.rows if "donated" in row.cells[0].text] == [
        "f32[300] x donated argument"
    ]
    large = {each["line"] for each in lens.data["buffers"] if each["bytes"] >= 4 * 300 * 300}
    assert large & {9, 10}
    assert large <= {0, 9, 10}
    assert not lens.problem(TRAIN.count("\n"))
    assert capsys.readouterr().out == "traced\n"


@pytest.mark.parametrize("compiled", ["", ".lower(x).compile()"], ids=["called", "compiled ahead of time"])
def test_a_line_of_another_file_is_no_line(compiled: str) -> None:
    program = f"""
import jax
x = jax.numpy.ones(200)
jitted = jax.jit(lambda x: distances(x).sum(0) + 1){compiled}
jitted(x)
"""
    answer = of(program)
    assert "called on line 5" in str(answer.sentence)
    lens = memory(answer)
    assert set(lens.all_lines()) <= {0, 4}
    # Newer compilers leave all of it to a library.
    assert lens.data["peak_bytes"] + lens.data["library_bytes"] > 4 * 200 * 200


def test_a_function_that_takes_long_to_compile_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_lenses, "LONGEST_S", 0.0)
    answer = of(TRAIN)
    assert answer.lens is None
    assert re.search(r"It took \d+ s to compile in the run, so it was not compiled again", str(answer.sentence))


def test_an_error_of_the_compiler_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(recorded_lenses, "undisturbed", fails)
    assert str(of(TRAIN).sentence) == "It could not be computed: KeyboardInterrupt"


def test_a_program_without_jitted_functions_says_so() -> None:
    assert "called no jitted function" in str(of("import jax\njax.numpy.ones(3).sum()\n").sentence)
    assert recorded_lenses.answers(Recording(), FILE) == ()


def test_the_recording_is_written_before_its_lenses_are_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "night.jaxrec"
    written: list[RecordedRun] = []

    def answers(*_: object) -> tuple[LensAnswer, ...]:
        written.append(recording_file.read(path))
        return (LensAnswer(0, 0, TOP_LEVEL, "memory", Lens(table=Table(rows=(Row((), line=2),)))),)

    monkeypatch.setattr(recorded_lenses, "answers", answers)
    saved_run.save(
        path, Report("train.py", "ok", printed="loss 0.1"), str(tmp_path / "gone.py"), Recording(jitted=JittedCalls())
    )
    assert [(each.report.printed, each.about.left_out) for each in written] == [
        ("loss 0.1", (saved_run.NO_LENSES_YET,))
    ]
    read = recording_file.read(path)
    assert read.about.left_out == ()
    # The file is gone, and so are its lines.
    assert [(each.lens, each.sentence) for each in read.lenses] == [(None, saved_run.NO_LONGER_FITS)]
