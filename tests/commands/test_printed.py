"""The output of a program is kept, and nothing else is different."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.commands.programs import printed

PROGRAM = """
import contextlib, io, os, sys
print("first é", sys.stdout.isatty(), type(sys.stdout), type(sys.stdout.buffer), sys.stdout is sys.__stdout__)
sys.stderr.write("warned\\n")
sys.stdout.write("one\\n")
sys.stderr.write("warned of one\\n")
sys.stdout.write("ü\\n")
print("warned of ü", file=sys.stderr)
sys.stdout.write("a part")
sys.stderr.write("warned in between\\n")
print(" and the rest", flush=True)
print(input("name? "))
with contextlib.redirect_stdout(io.StringIO()):
    print("nobody reads it")
sys.stdout.writelines(["a\\n", "b\\n"])
print("before the bytes")
sys.stderr.write("warned before the bytes\\n")
sys.stdout.flush()
sys.stdout.buffer.write("bytes é\\n".encode())
for i in range(4000):
    print("line é", i)
    if not i % 400:
        sys.stderr.write(f"\\rstep {i}")
os.write(1, b"by C\\n")
sys.stdout.flush()
if hasattr(os, "fork"):
    if not os.fork():
        print("of a fork", flush=True)
        os._exit(0)
    os.wait()
sys.stdout.reconfigure(errors="backslashreplace")
sys.stderr.write("\\n")
sys.stdout.reconfigure(encoding="latin-1")
print("é in Latin 1", flush=True)
print("pending")
sys.stderr.write("after it\\n")
sys.stdout.reconfigure(encoding="utf-8")
sys.stdout = io.TextIOWrapper(sys.stdout.detach(), "utf-8", line_buffering=True)
print("from a stream of its own")
print("end", end="")
"""
KEEPS = """
import runpy, sys
from pathlib import Path
from explorer.commands.programs import printed
with printed.kept() as so_far:
    runpy.run_path(sys.argv[1])
Path(sys.argv[2]).write_text(so_far(), encoding="utf-8")
"""
NAME = b"Ada\n"
UTF8 = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(Path(__file__).parents[2])}


@pytest.mark.process
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["in large pieces", "at once"])
def test_the_output_is_that_of_plain_python_and_kept_in_the_order_in_which_it_was_written(
    tmp_path: Path, unbuffered: str
) -> None:
    program, text = tmp_path / "program.py", tmp_path / "text"
    program.write_text(PROGRAM, encoding="utf-8")
    environment = {**UTF8, "PYTHONUNBUFFERED": unbuffered}

    def written(*command: str, way: str) -> list[bytes]:
        ran = [sys.executable, *command]
        if way == "terminal":
            return [in_terminal(ran, environment)]
        target = subprocess.STDOUT if way == "together" else subprocess.PIPE
        done = subprocess.run(ran, input=NAME, stdout=subprocess.PIPE, stderr=target, env=environment, check=True)
        return [done.stdout, done.stderr]

    ways = ["together", "apart", *(["terminal"] if sys.platform != "win32" else [])]
    for way in ways:
        plain = written("-c", "import runpy, sys; runpy.run_path(sys.argv[1])", str(program), way=way)
        assert written("-c", KEEPS, str(program), str(text), way=way) == plain
        kept = text.read_bytes().decode().replace(os.linesep, "\n")
        if way != "apart":
            whole = plain[0].replace("é in Latin 1".encode("latin-1"), "é in Latin 1".encode()).decode()
            # Of C code and of another process nothing is kept.
            assert kept == whole.replace("\r\n", "\n").replace("by C\n", "").replace("of a fork\n", "")


def in_terminal(command: list[str], environment: dict[str, str]) -> bytes:
    """Return what `command` writes to a terminal."""
    ours, its = os.openpty()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=its, stderr=its, env=environment) as process:
        os.close(its)
        process.stdin.write(NAME)
        process.stdin.close()
        content = b""
        # Linux reports the end of a terminal as an error.
        with contextlib.suppress(OSError):
            while piece := os.read(ours, 1 << 16):
                content += piece
    os.close(ours)
    assert process.returncode == 0
    return content


def test_streams_are_afterwards_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, "utf-8")
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", stream)
    sys.stdout.write("before\n")
    with printed.kept() as outer:
        sys.stdout.write("in the outer\n")
        with printed.kept() as inner:
            sys.stderr.write("in both\n")
        sys.stdout.write("in the outer again\n")
    sys.stdout.write("after\n")
    assert inner() == "in both\n"
    assert outer() == "in the outer\nin both\nin the outer again\n"
    assert not vars(buffer)
    stream.flush()
    assert buffer.getvalue().decode() == f"before\n{outer()}after\n"


class Sentences:
    """A stream as in notebooks."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def write(self, text: str) -> int:
        self.found.append(text)
        return len(text)


@pytest.mark.parametrize(("stream", "kept"), [(Sentences(), "said\n"), (None, "")])
def test_other_streams_keep_working(monkeypatch: pytest.MonkeyPatch, stream: Sentences | None, kept: str) -> None:
    monkeypatch.setattr(sys, "stdout", stream)
    with printed.kept() as so_far:
        print("said")  # noqa: T201
    assert so_far() == kept
    assert stream is None or "".join(stream.found) == "said\n"


@pytest.mark.process
def test_a_broken_pipe_is_the_programs_own(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import os, sys\nreading, writing = os.pipe()\nos.close(reading)\nos.dup2(writing, 1)\n"
        "try:\n    print('nobody reads it', flush=True)\nexcept OSError as error:\n    print(error, file=sys.stderr)\n"
        "os.dup2(2, 1)\n"
    )
    text = tmp_path / "text"
    ran = subprocess.run(
        [sys.executable, "-c", KEEPS, str(program), str(text)], capture_output=True, env=UTF8, text=True, check=True
    )
    # What could not be written is written at the end, as in plain Python.
    assert "Broken pipe\n" in ran.stderr
    assert text.read_text() == ran.stderr
