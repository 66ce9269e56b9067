"""From a run on the command line to the line that takes its memory, in a window that runs nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from explorer.library import recording_file
from explorer.messages import TOP_LEVEL, Focus
from explorer.messages.tables import with_lines
from explorer.text.text import say
from explorer.window import connections
from tests.library.recorded import recorded
from tests.views.program.lenses.lens_answers import table_of
from tests.window.ui import Ui, finish_steps
from views.parts.tabs import TabButton
from views.program.lenses.page import LensPage
from views.program.program_view import ProgramView

TRAIN = """
import jax
import jax.numpy as jnp

def loss(w, x):
    distances = jnp.abs(x[:, None, :] - x[None, :, :])
    return jnp.mean(jnp.sin(distances @ w) * jnp.sum(distances, axis=-1))

@jax.jit
def step(w, x):
    return w - 0.1 * jax.grad(loss)(w, x)

w, x = jnp.ones(64), jnp.linspace(0, 1, 128 * 64).reshape(128, 64)
for _ in range(3):
    w = step(w, x)
print(w.shape)
"""


def run(folder: Path, source: str) -> Path:
    """Run `source` with a cache of compiled programs on the disk, and return its recording."""
    program, path = folder / "train.py", folder / "train.jaxrec"
    program.write_text(source)
    command = [sys.executable, "-m", "jax_explorer", "run", "--lenses", "-o", str(path)]
    variables = {
        **os.environ,
        "JAX_COMPILATION_CACHE_DIR": str(folder / "compiled"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    ran = subprocess.run(
        [*command, "--json", str(folder / "train.json"), str(program)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=Path.cwd(),
        env=variables,
    )
    assert ran.stdout == "(64,)\n", ran.stderr
    return path


def program(ui: Ui) -> ProgramView:
    return ui.window.findChild(ProgramView)


def pages(ui: Ui) -> list[LensPage]:
    """Return the pages that are not empty."""
    return [page for page in program(ui).findChildren(LensPage) if page.text().strip()]


@pytest.mark.rest
def test_the_window_shows_the_line_that_takes_the_memory(ui: Ui, tmp_path: Path) -> None:
    run(tmp_path, TRAIN)
    # The program on the disk has the lines of the first run.
    path = run(tmp_path, f"# A new line.\n{TRAIN}")
    connections.add_plots(ui.window, ui.session, ui.desk)
    assert ui.desk.files.open_by_id(str(path))
    finish_steps(ui.window)
    asked = len(ui.client.asked)
    assert program(ui).verdict == "memory"
    # A recording has no text, so it opens on its lens, and offers nothing else.
    assert [each.text() for each in program(ui).findChildren(TabButton) if not each.isHidden()] == ["memory"]
    (page,) = pages(ui)
    text = page.text()
    assert "This is step, called on line 16, the jitted function with the most bytes." in text
    lines = [each.partition("\t")[0] for each in text.splitlines() if "f32[128,128,64]" in each]
    assert lines[0] == "7"
    costs = ui.window.code.text.marks.costs
    assert max(costs, key=lambda row: costs[row].share) == 6
    ui.session.choose_focus(Focus("line", 7))
    assert table_of(page).lit
    assert len(ui.client.asked) == asked
    (lens,) = json.loads((tmp_path / "train.json").read_text())["lenses"]
    largest = max(lens["result"]["buffers"], key=lambda each: each["bytes"])
    assert (lens["name"], largest["line"]) == ("memory", 7)


def test_two_recordings_show_a_page_each(ui: Ui, tmp_path: Path) -> None:
    paths = [tmp_path / "one.jaxrec", tmp_path / "two.jaxrec"]
    (lens,) = recorded().lenses
    for number, path in enumerate(paths):
        source = "# new\n" * number + recorded().source
        moved = with_lines(lens.lens, lambda line, number=number: line and line + number)
        lenses = (replace(lens, lens=moved, sentence=say("Called on line {line}.", line=9 + number)),)
        recording_file.write(path, replace(recorded(), source=source, lenses=lenses))
    connections.add_plots(ui.window, ui.session, ui.desk)
    ui.desk.files.open_by_id(str(paths[0]))
    finish_steps(ui.window)
    ui.desk.files.recordings.open_beside(str(paths[1]))
    assert [each.variant for each in ui.session.lenses] == [TOP_LEVEL, "two.jaxrec as it was"]
    texts = " ".join(page.text() for page in pages(ui))
    assert texts.count("f32[8,4] x argument") == 2
    # The second has the lines of the open code.
    assert texts.count("\n6\tf32[8,4] temporary mul") == texts.count("Called on line 9.") == 2
    assert "two.jaxrec takes 1× the memory of the other" in texts
    ui.desk.files.open_by_id("first_jaxpr")
    assert ui.session.lenses == ()
