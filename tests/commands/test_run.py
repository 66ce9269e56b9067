from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from explorer import cli
from explorer.commands.programs import run
from explorer.commands.programs.script import Script
from tests.commands import programs

CLEAN = "import jax\nprint(float(jax.random.normal(jax.random.key(0))) != 0)\n"
REUSE = "import jax\nkey = jax.random.key(0)\nfor _ in range(2):\n    jax.random.normal(key)\n"
DRAW = "import jax\n\ndef draw(key):\n    return jax.random.normal(key)\n"


def write(folder: Path, source: str, name: str = "train.py") -> str:
    return str(programs.write(folder, name, source))


def record_of(folder: Path, source: str) -> dict[str, Any]:
    """Run `source` and return the record that is written to the file."""
    file = folder / "report.json"
    run.run(Script(write(folder, source)), str(file))
    return json.loads(file.read_text())


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (CLEAN, 0),
        (REUSE, 1),
        (REUSE + "raise SystemExit(0)", 1),
        (REUSE + "raise SystemExit(7)", 7),
        (CLEAN + "raise SystemExit(7)", 7),
        (CLEAN + "1 / 0", 1),
        (REUSE + "raise KeyboardInterrupt", 130),
    ],
)
def test_the_exit_code_is_the_programs_own_but_1_for_a_bug_instead_of_0(tmp_path: Path, source: str, code: int) -> None:
    assert run.run(Script(write(tmp_path, source))) == code


def test_the_report_follows_the_traceback_and_ends_with_the_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, REUSE + "jax.numpy.ones(2) @ jax.numpy.ones(3)\n")
    run.run(Script(path))
    output = capsys.readouterr()
    lines = output.err.splitlines()
    assert output.out == ""
    assert lines[0] == "Traceback (most recent call last):"
    assert f"jax-explorer: what was found in {path} until TypeError ended it" in lines
    assert "4 |     jax.random.normal(key)" in lines
    assert lines[-1] == (
        "TypeError · Keys: 1 bug · Tracing: clean until it ended · Values: not checked (1 key, 2 draws)"
    )


@pytest.mark.parametrize(
    ("end", "status", "error"),
    [
        ("", "ok", None),
        ("raise SystemExit", "ok", None),
        ("raise SystemExit(2)", "error", "SystemExit"),
        ("1 / 0", "error", "ZeroDivisionError"),
        ("raise KeyboardInterrupt", "stopped", "KeyboardInterrupt"),
    ],
)
def test_the_file_shows_how_the_program_ended_and_what_was_found_up_to_there(
    tmp_path: Path, end: str, status: str, error: str | None
) -> None:
    record = record_of(tmp_path, REUSE + end)
    assert record["status"] == status
    assert (record["error"] and record["error"]["type"]) == error
    assert record["keys"] == {"seeds": 1, "splits": 0, "nodes": 1, "draws": 2}
    assert [(finding["kind"], finding["lines"]) for finding in record["findings"]] == [("key-reuse", [4, 4])]


CAUSE = "The call got NaN or infinity in its argument x."
NAN = """\
import jax
import jax.numpy as jnp

@jax.jit
def step(w, x):
    return w, jnp.mean((w - x) ** 2)

for n in range(5):
    w, loss = step(jnp.ones(3), jnp.inf if n == 3 else n)
"""


def test_the_first_nan_of_a_training_loop_is_a_line_of_the_report_and_in_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (found,) = record_of(tmp_path, NAN)["curves"]
    (curve,) = found.pop("curves")
    assert found == {
        "function": "step",
        "line": 9,
        "lines": [9],
        "files": [str(tmp_path / "train.py")],
        "loop": "calls",
        "length": 5,
        "iterations": [0, 1, 2, 3, 4],
        "first_not_finite": 3,
        "cause": {"call": 3, "line": None, "file": None, "message": CAUSE},
    }
    assert (curve["role"], curve["name"], curve["type"]) == ("output", "loss", "f32[]")
    assert (curve["mean"], curve["not_finite"]) == ([1.0, 0.0, 1.0, None, 9.0], [0, 0, 0, 1, 0])
    told = capsys.readouterr().err
    assert "warning: loss of step (line 9): NaN or infinity first appears in call 4 of 5\n" in told
    assert f"help: {CAUSE}" in told


def test_each_place_of_a_finding_is_in_its_own_file_also_on_equal_lines(tmp_path: Path) -> None:
    library = write(tmp_path, DRAW, "own_library.py")
    source = "import jax, own_library\nkey = jax.random.key(0)\nown_library.draw(key)\njax.random.bits(key)\n"
    record = record_of(tmp_path, source)
    finding = record["findings"][0]
    assert list(zip(finding["files"], finding["lines"], strict=True)) == [(library, 4), (record["target"], 4)]
    first, second = (write(tmp_path, DRAW, f"own_{name}.py") for name in ("first", "second"))
    source = "import jax, own_first, own_second\nkey = jax.random.key(0)\nown_first.draw(key)\nown_second.draw(key)\n"
    assert record_of(tmp_path, source)["findings"][0]["files"] == [first, second]


@pytest.mark.parametrize("words", [[], ["--", "a"], ["--json", "x", "-m"], ["--help"], ["--version"], ["check", "--"]])
def test_what_stands_behind_the_script_belongs_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    script = write(tmp_path, "import sys\nprint(sys.argv[1:])\n")
    assert cli.main(["run", "--json", str(tmp_path / "report.json"), script, *words]) == 0
    assert capsys.readouterr().out == f"{words}\n"


# -- in a process of its own ------------------------------------------------------------------


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(run.__file__).parents[2]), "HOME": str(folder)}


@pytest.mark.rest
@pytest.mark.process
def test_the_program_imports_jax_itself_and_gets_its_own_input_and_output(tmp_path: Path) -> None:
    write(
        tmp_path,
        "import os, sys\n"
        "assert 'jax' not in sys.modules\n"
        "assert 'write' not in vars(sys.stdout.buffer)\n"
        "os.environ['JAX_ENABLE_X64'] = '1'\n"
        "import jax\n"
        "print(jax.numpy.zeros(1).dtype, sys.stdin.read())\n"
        "assert not [name for name in sys.modules if name.startswith(('PySide6', 'views'))]\n" + REUSE,
    )
    done = programs.run("run", "train.py", cwd=tmp_path, env=environment(tmp_path), input="in")
    assert done.stdout == "float64 in\n"
    assert "\nKeys: 1 bug · " in done.stderr
    counts, further = done.stderr.splitlines()[-2:]
    assert counts.endswith(" (1 key, 2 draws)")
    assert "`jax-explorer check train.py` (changes of state)" in further
    assert "`jax-explorer run --values train.py` (values)" in further
    assert done.returncode == 1


def stopped(process: subprocess.Popen[str]) -> str:
    """Press Ctrl-C until it ends, and return its output: Python ignores one during a garbage collection."""
    while True:
        process.send_signal(signal.SIGINT)
        try:
            return process.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            continue


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="a process of ours alone cannot be sent Ctrl-C there")
def test_ctrl_c_ends_the_program_and_the_report_still_comes(tmp_path: Path) -> None:
    source = REUSE + "print('ready', flush=True)\nwhile True:\n    jax.random.split(key)\n"
    # A process in the background of a shell ignores Ctrl-C.
    write(tmp_path, "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" + source)
    process = subprocess.Popen(
        [sys.executable, "-m", "explorer", "run", "--json", "report.json", "train.py"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout.readline() == "ready\n"
        output = stopped(process)
    assert "KeyboardInterrupt\n\njax-explorer: what was found in train.py until it was stopped" in output
    assert process.returncode == 130
    assert json.loads((tmp_path / "report.json").read_text())["status"] == "stopped"
