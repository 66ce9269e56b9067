from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path
from types import ModuleType

import pytest

from explorer.commands.programs import script
from explorer.commands.programs.script import NoSuchProgram, Script, after_import
from tests.commands.programs import write

TELL = """
import os, sys
own = sys.modules["__main__"].__dict__ is globals()
print(__name__, __package__, os.path.basename(__file__), sys.argv, sys.path[0], own)
"""


def test_a_script_sees_what_python_would_show_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "tell.py", TELL)
    before = sys.modules["__main__"], sys.argv, sys.path[:]
    assert script.run(Script(str(path), ("--json", "b"))) is None
    output = capsys.readouterr().out
    assert output == f"__main__ None tell.py {[str(path), '--json', 'b']} {tmp_path.resolve()} True\n"
    assert (sys.modules["__main__"], sys.argv, sys.path) == before


@pytest.mark.parametrize(("name", "package"), [("tells_a", "tells_a"), ("tells_b.inner", "tells_b")])
def test_a_module_sees_what_python_would_show_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, package: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, f"{package}/__init__.py", "")
    path = write(tmp_path, f"{package}/inner.py" if "." in name else f"{package}/__main__.py", TELL)
    assert script.run(Script(name, ("a",), is_module=True)) is None
    output = capsys.readouterr().out
    assert output == f"__main__ {package} {path.name} {[str(path), 'a']} {tmp_path} True\n"


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        ("", 0),
        ("raise SystemExit", 0),
        ("raise SystemExit(0)", 0),
        ("raise SystemExit(3)", 3),
        ("raise SystemExit('why')", 1),
        ("1 / 0", 1),
        ("raise KeyboardInterrupt", 130),
        ("def (", 1),
    ],
)
def test_the_exit_code_is_that_of_python(tmp_path: Path, code: str, exit_code: int) -> None:
    assert script.exit_code(script.run(Script(str(write(tmp_path, "ends.py", code))))) == exit_code


@pytest.mark.parametrize(
    "code",
    [
        "def f(): 1 / 0\ntry:\n    f()\nexcept ZeroDivisionError as error:\n    raise ValueError('no') from error",
        "import sys; sys.exit('why')",
        "def (",
        "import json; json.loads('{')",
        "e = ValueError('a')\nraise e from e",
    ],
)
def test_an_error_is_printed_as_python_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str) -> None:
    path = str(write(tmp_path, "fails.py", code))
    script.say_error(script.run(Script(path)))
    bare = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert capsys.readouterr().err == bare.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import sys\ndef hook(*_): raise SystemExit\nsys.excepthook = hook\nraise ValueError('a')",
        "class E:\n    def __str__(s): 1 / 0\nraise SystemExit(E())",
    ],
)
def test_an_error_that_cannot_be_printed_ends_nothing(tmp_path: Path, code: str) -> None:
    error = script.run(Script(str(write(tmp_path, "fails.py", code))))
    script.say_error(error)
    assert script.exit_code(error) == 1


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (Script("no_such_file.py"), "no file no_such_file.py"),
        (Script("."), "It is a folder"),
        (Script("no_such_module", is_module=True), "no module no_such_module"),
        (Script("no_such_package.inner", is_module=True), "no module no_such_package.inner"),
        (Script("explorer.worker.no_such", is_module=True), "no module explorer.worker.no_such"),
    ],
)
def test_what_cannot_be_found_is_reported_by_name(program: Script, words: str) -> None:
    with pytest.raises(NoSuchProgram, match=words):
        script.run(program)


# -- what happens when a module is imported ---------------------------------------------------


def test_the_act_follows_the_import_and_happens_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path, "awaited_a.py", "value = 1\n")
    seen, made = [], ModuleType("in_a_circle")
    made.itself, left = made, weakref.ref(made)
    with after_import("awaited_a", lambda: seen.append(sys.modules["awaited_a"].value)):
        assert seen == []
        import awaited_a  # type: ignore[import-not-found]  # noqa: F401
        import awaited_a as again  # noqa: F401
    assert seen == [1]
    del made
    gc.collect()
    assert (left(), gc.isenabled()) == (None, True), "the garbage of the program is collected as ever"


def test_a_module_that_is_there_already_is_not_waited_for() -> None:
    seen = []
    with after_import("json", lambda: seen.append(1)):
        assert seen == [1]


def test_a_module_that_does_not_exist_fails_as_ever_and_leaves_nothing_behind() -> None:
    before = sys.meta_path[:]
    with after_import("never_imported_module", lambda: None), pytest.raises(ModuleNotFoundError):
        import never_imported_module  # type: ignore[import-not-found]  # noqa: F401
    assert sys.meta_path == before


def test_an_error_at_an_instruction_without_a_line_is_printed_too(capsys: pytest.CaptureFixture[str]) -> None:
    code = compile("raise KeyboardInterrupt", "program.py", "exec")
    # Entry 15 of a location table says that an instruction belongs to no line.
    no_line = bytes([0x80 | 15 << 3])
    code = code.replace(co_linetable=no_line * (len(code.co_code) // 2))
    try:
        exec(code)
    except KeyboardInterrupt as error:
        script.say_error(error)
    assert capsys.readouterr().err.endswith("KeyboardInterrupt\n")
