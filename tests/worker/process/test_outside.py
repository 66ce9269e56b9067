"""A rerun of a program changes nothing outside, and the obstacles to a rerun are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.messages import Report, Request
from explorer.worker.runs import analyse
from tests.worker.analysed import channel

HEAD = "import os, socket, subprocess, sys, threading\nfrom pathlib import Path\nimport jax, jax.numpy as jnp\n"
ONCE = {
    "thread": ("threading.Thread(target=len, args=('',)).start()", "it starts a thread"),
    "process": ("subprocess.run([sys.executable, '-c', ''])", "it starts a process"),
    "system": ("os.system('true')", "it starts a process"),
    "network": ("with socket.socket() as here: here.bind(('127.0.0.1', 0))", "it uses the network"),
    "removal": ("Path('a').touch(); Path('a').unlink()", "it changes files or folders"),
    "rename": ("Path('b').touch(); Path('b').rename('c')", "it changes files or folders"),
    "folder": ("Path('made').mkdir()", "it changes files or folders"),
}
AGAIN = {
    "a file": "Path('a').write_text('x')",
    "a file that is read again": "Path('a').write_text('x'); assert Path('a').read_text() == 'x'",
    "a log": "with open('log', 'a') as log: log.write('x')",
    "nothing": "Path('nothing').exists()",
    "a folder that is there": "os.makedirs('.', exist_ok=True)",
    "the null device": "with open(os.devnull, 'w') as nothing: nothing.write('x')",
}


def report(body: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    monkeypatch.chdir(folder)
    source = f"{HEAD}\ndef f():\n    {body}\n    return jax.jit(lambda x: x)(jnp.ones(3))\n"
    everything = dict.fromkeys(("traces", "value_checks", "jax_checker"), True)
    found = analyse.analyse(Request(1, source, "<test>", variants=("f",), **everything), channel()).report("f")
    assert found is not None
    return found


@pytest.mark.parametrize(("body", "reason"), ONCE.values(), ids=ONCE)
def test_what_must_not_happen_twice_keeps_a_program_from_running_again(
    body: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = report(body, tmp_path, monkeypatch)
    assert found.status == "ok"
    assert found.pictures
    assert found.jax_checker is None
    assert reason in str(found.program.failure.message)
    (note,) = found.keys.notes
    assert reason in str(note)


@pytest.mark.parametrize("body", AGAIN.values(), ids=AGAIN)
def test_what_only_writes_files_is_checked_all_the_same(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = report(body, tmp_path, monkeypatch)
    assert found.status == "ok"
    assert found.program.text
    assert found.jax_checker is not None
    assert found.keys.notes == ()
    assert all(path.read_text() == "x" for path in tmp_path.iterdir())


def test_typing_does_nothing_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = f"{HEAD}\nPath('top').write_text('x')\ndef f():\n    Path('f').write_text('x')\n    return jnp.ones(3)\n"
    request = Request(1, source, "<test>", variants=("f",), texts_only=True)
    assert analyse.texts(request, channel()).programs["f"].text
    assert list(tmp_path.iterdir()) == []
