"""Recordings in the window: shown whole, and nothing runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.commands.programs import saved_run
from explorer.library import recording_file
from explorer.messages import TOP_LEVEL
from explorer.messages.recorded_run import RecordedRun
from explorer.worker.runs import in_process
from tests.window.ui import Ui

SOURCE = """
import jax
import jax.numpy as jnp

def add_noise(x, key):
    return x + jax.random.normal(key, x.shape)

xs = jnp.zeros((8, 4))
noisy = jax.vmap(add_noise, in_axes=(0, None))(xs, jax.random.key(0))
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    program = tmp_path_factory.mktemp("program") / "noisy.py"
    program.write_text(SOURCE, encoding="utf-8")
    with in_process.recorded(str(program)) as recording:
        exec(compile(SOURCE, str(program), "exec"), {})
    return saved_run.made(in_process.report("noisy.py", recording), str(program))


@pytest.fixture
def path(tmp_path: Path, run: RecordedRun) -> Path:
    path = tmp_path / "noisy.jaxrec"
    recording_file.write(path, run)
    return path


def test_all_panes_show_the_recorded_run_and_nothing_runs(ui: Ui, path: Path) -> None:
    asked = len(ui.client.asked)
    assert ui.desk.files.open_by_id(str(path))
    assert ui.window.code.source() == SOURCE
    assert ui.window.code.text.isReadOnly()
    snapshot = ui.session.snapshot
    assert snapshot is not None
    assert [each.kind for each in snapshot.reports[0].findings or ()] == ["shared-noise"]
    assert not ui.session.stale
    assert "Nothing runs here." in ui.window.notice.accessibleName()
    ui.window.action("run").trigger()
    assert len(ui.client.asked) == asked


def test_its_code_becomes_a_program_that_waits_to_be_run(ui: Ui, path: Path) -> None:
    ui.desk.files.open_by_id(str(path))
    asked = len(ui.client.asked)
    ui.window.notice.answered.emit("open_as_program")
    scenario = ui.session.workspace.scenario
    assert scenario is not None
    assert (scenario.origin, ui.window.code.source()) == ("new", SOURCE)
    assert len(ui.client.asked) == asked
    ui.window.notice.answered.emit("run")
    assert len(ui.client.asked) > asked


def test_what_it_shows_is_what_was_recorded(path: Path, run: RecordedRun) -> None:
    read = recording_file.read(path)
    assert read.about == run.about
    (report,) = read.snapshot.reports
    assert report.name == TOP_LEVEL
    assert report.findings == run.snapshot.reports[0].findings
    assert report.keys is not None
    assert (report.keys.nodes, report.keys.draws) == (1, 1)
    (picture,) = report.pictures or ()
    assert picture.distinct == 1
