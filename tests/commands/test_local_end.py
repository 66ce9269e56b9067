"""A program that runs at a remote, as one that runs here."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from explorer.library import recording_file
from tests.commands.programs import run, write

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")]
FAR = shlex.join(["sh", "-c", 'cd /; exec "$@"', "far", sys.executable])
"""A link, as far as we know: the process at its end is in another folder."""
PROGRAM = """
import sys
from helpers import twice
import jax
print(sys.argv[1:], open("data.csv").read(), sys.stdin.readline().strip())
key = jax.random.key(0)
print(twice(jax.random.normal(key)) == twice(jax.random.normal(key)))
sys.exit(7)
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a program with the file that it needs next to it."""
    write(tmp_path, "thesis/helpers.py", "def twice(x):\n    return 2 * x\n")
    write(tmp_path, "thesis/data.csv", "1,2")
    return write(tmp_path, "thesis/train.py", PROGRAM)


def run_there(*words: str, typed: str = "", temporary: Path) -> subprocess.CompletedProcess[str]:
    return run("run", "--on", FAR, *words, input=typed, env={**os.environ, "TMPDIR": str(temporary)})


@pytest.mark.rest
def test_a_program_runs_at_a_remote_with_its_folder_as_it_does_here(own: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    record = tmp_path / "report.json"
    kept, saved = tmp_path / "run.jaxrec", ("--types", "--lenses", "-o", str(tmp_path / "run.jaxrec"))
    words = ("--send-folder", "--json", str(record), *saved, str(own), "a b")
    done = run_there(*words, typed="typed\n", temporary=temporary)
    assert done.stdout == "['a b'] 1,2 typed\nTrue\n", done.stderr
    assert done.returncode == 7
    assert "3 files, 0 kB, travel to" in done.stderr
    recorded = recording_file.read(kept)
    assert (recorded.about.program, recorded.source, recorded.report.printed) == ("train.py", PROGRAM, done.stdout)
    assert list(recorded.report.program.line_types) == [6]
    assert ["no jitted function" in str(each.sentence) for each in recorded.lenses] == [True]
    report = json.loads(record.read_text(encoding="utf-8"))
    (finding,) = report["findings"]
    assert finding["kind"] == "key-reuse"
    assert str(own) in record.read_text(encoding="utf-8")
    end = time.monotonic() + 30
    while any(temporary.glob(f"{tempfile.gettempprefix()}*")) or any(temporary.glob("jax-explorer-*")):
        assert time.monotonic() < end
        time.sleep(0.1)


def test_what_was_not_sent_is_reported_with_how_to_send_it(own: Path, tmp_path: Path) -> None:
    done = run_there(str(own), temporary=tmp_path)
    assert done.returncode == 1
    assert "helpers.py is next to this file on this computer" in done.stderr
    assert "--send-folder" in done.stderr


def test_a_program_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    done = run_there(str(tmp_path / "none.py"), temporary=tmp_path)
    assert (done.returncode, "There is no file" in done.stderr) == (2, True)


@pytest.mark.rest
def test_ctrl_c_reaches_a_program_at_a_remote_and_its_effects_are_reported(tmp_path: Path) -> None:
    program = write(tmp_path, "endless.py", "import time\nprint('begun', flush=True)\ntime.sleep(600)\n")
    command = [sys.executable, "-m", "explorer", "run", "--on", FAR, str(program)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        _, output = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "until it was stopped" in output
