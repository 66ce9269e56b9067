"""A script imports the modules next to it, whatever their names are, as in plain Python."""

from __future__ import annotations

import builtins
import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from explorer.commands.check import check
from explorer.commands.programs import script
from explorer.commands.programs.script import Script
from explorer.library import library
from explorer.worker.code import own_modules
from tests.commands.programs import run, write

OURS = ("explorer", "views", "scenarios", "resources")
PYTHONS = ("platform", "shlex", "difflib", "tomllib", "msgspec", "numpy")
NAMES = (*OURS, *PYTHONS)


def make(folder: Path, name: str, form: str = "module") -> None:
    """Make a module or a package `name` that says which it is."""
    write(folder, f"{name}.py" if form == "module" else f"{name}/__init__.py", f"said = 'my {form} {name}'\n")


def plain(path: Path) -> str:
    """Return the output of plain Python for the script at `path`, where our packages are not installed."""
    command = [sys.executable, "-S", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={"PATH": os.defpath}).stdout


def ran(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert script.run(Script(str(path))) is None
    return capsys.readouterr().out


@pytest.mark.parametrize("form", ["module", "package"])
@pytest.mark.parametrize("name", NAMES)
def test_a_script_imports_what_lies_next_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, form: str
) -> None:
    make(tmp_path, name, form)
    path = write(
        tmp_path,
        "train.py",
        f"import importlib, {name}\nprint({name}.said, importlib.import_module({name!r}).said)\n"
        f"def later():\n    import {name}\n    return {name}.said\nprint(later())\n",
    )
    assert ran(path, capsys) == plain(path) == f"my {form} {name} my {form} {name}\nmy {form} {name}\n"


def test_a_folder_without_init_is_a_package_and_what_is_loaded_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "resources/pictures.py", "said = 'mine'\n")
    path = write(tmp_path, "train.py", "import resources.pictures\nprint(resources.pictures.said)\n")
    assert ran(path, capsys) == plain(path) == "mine\n"
    make(tmp_path, "os")
    path = write(tmp_path, "train.py", "import os\nprint(hasattr(os, 'said'))\n")
    assert ran(path, capsys) == plain(path) == "False\n"


def ours() -> dict[str, ModuleType]:
    return {name: each for name, each in sys.modules.items() if name.partition(".")[0] in ("explorer", "platform")}


def test_ours_are_back_afterwards_and_at_hand_for_us_all_the_time(tmp_path: Path) -> None:
    make(tmp_path, "explorer")
    make(tmp_path, "platform")
    before = ours()
    importer = builtins.__import__
    own = own_modules.OwnModules(str(tmp_path))
    own.begin()
    try:
        assert "explorer" not in sys.modules
        # As a module of ours imports it while the program runs.
        namespace = {"__name__": "explorer.commands.programs.run", "__file__": script.__file__}
        exec("from explorer.commands import code_excerpts\nfound = code_excerpts.__file__", namespace)
        assert str(namespace["found"]).startswith(str(Path(script.__file__).parent.parent))
        assert "explorer" not in sys.modules
    finally:
        own.end()
    assert before.items() <= ours().items()
    assert builtins.__import__ is importer
    assert own not in sys.meta_path


def test_what_is_installed_and_not_imported_yet_hides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed, mine = tmp_path / "installed", tmp_path / "mine"
    for folder in (installed, mine):
        write(folder, "of_that_name.py", f"said = {folder.name!r}\n")
    # As the worker has it: behind everything that is installed.
    monkeypatch.setattr(sys, "path", [str(installed), *sys.path, str(mine)])
    own = own_modules.OwnModules(str(mine))
    own.begin()
    try:
        assert importlib.import_module("of_that_name").said == "mine"
    finally:
        own.end()
    assert "of_that_name" not in sys.modules


def test_little_is_loaded_before_a_script(tmp_path: Path) -> None:
    tells = "import sys\nprint(*sorted({name.partition('.')[0] for name in sys.modules}))\n"
    path = write(tmp_path, "tell.py", tells)
    environment = {**os.environ, "PYTHONPATH": str(Path(script.__file__).parents[3])}
    loaded = set(run("run", str(path), cwd=tmp_path, env=environment).stdout.split())
    assert "sys" in loaded
    assert not loaded & {"numpy", "msgspec", "jax", "random", "tempfile", "platform", "email", "json"}


PROGRAM = """
import jax, {name}

def inputs():
    return dict(key=jax.random.key(0))

def draw(key):
    import {name}
    print({name}.said)
    return jax.random.normal(key)
"""


@pytest.mark.rest
@pytest.mark.process
def test_a_checked_file_imports_what_lies_next_to_it(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    for name in NAMES[:-2]:
        make(tmp_path, name)
    names = ", ".join(NAMES[:-2])
    source = PROGRAM.format(name="explorer").replace("import explorer", f"import {names}", 1)
    path.write_text(source.replace("print(explorer.said)", f"print(*(each.said for each in ({names})))"))
    checked = check(library.open_target(str(path)))
    assert checked.exit_code == 0, checked
    (report,) = checked.snapshot.reports
    assert report.printed == " ".join(f"my module {name}" for name in NAMES[:-2]) + "\n"
