"""The wheel: one package in site-packages, and everything works there next to packages of the same names."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.rest

ROOT = Path(__file__).parent.parent
NAMES = ("explorer", "views", "scenarios", "resources")
IMPORT_ALL = """
import importlib, pkgutil, jax_explorer
for found in pkgutil.walk_packages(jax_explorer.__path__, "jax_explorer."):
    parts = found.name.split(".")
    if parts[-1] != "__main__" and not {"scenarios", "translations"} & {*parts}:
        importlib.import_module(found.name)
print("all")
"""
PROGRAM = """
import jax, explorer, views, scenarios, resources

def inputs():
    return dict(key=jax.random.key(0))

def draw(key):
    said = [explorer.said, views.said, scenarios.said, resources.said]
    print(*said)
    assert said == ["installed explorer", "my views", "installed scenarios", "installed resources"]
    return jax.random.normal(key)

if __name__ == "__main__":
    draw(**inputs())
"""
RECORDED = """
import explorer
from jax_explorer import recording
import jax

with recording() as keys:
    key = jax.random.key(0)
    jax.random.normal(key), jax.random.normal(key)
import explorer.later
print(explorer.said, explorer.later.said, [each.kind for each in keys.bugs])
"""
TESTS = """
import explorer, jax

def test_it():
    key = jax.random.key(0)
    jax.random.normal(key), jax.random.normal(key)
    assert explorer.said == "mine"
"""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel of the current tree."""
    from hatchling.builders.wheel import WheelBuilder

    folder = tmp_path_factory.mktemp("wheel")
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return Path(built)


@pytest.fixture(scope="session")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder like site-packages, with the wheel and others' packages of our names."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    for name in NAMES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(f"said = 'installed {name}'\n")
    return folder


def ran(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python on `words` in `folder`, with `site` first in the path."""
    settings = {**os.environ, "PYTHONPATH": str(site), "QT_QPA_PLATFORM": "offscreen", "HOME": str(folder)}
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=settings, capture_output=True, text=True, check=False
    )


def strings(source: str) -> Iterator[str]:
    """Yield the strings of `source` that are no docstrings."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_wheel_has_one_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
        points = archive.read(next(each for each in archive.namelist() if each.endswith("entry_points.txt"))).decode()
        files = {name for name in archive.namelist() if name.startswith("jax_explorer/")}
    assert {name for name in tops if not name.endswith(".dist-info")} == {"jax_explorer"}
    assert not re.search(r"= *(explorer|views)", points)
    tracked = {
        path.relative_to(ROOT).as_posix()
        for name in NAMES
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {f"jax_explorer/{name}" for name in tracked} <= files


def test_nothing_in_the_wheel_names_a_package_by_the_name_that_it_has_here(site: Path) -> None:
    for path in (site / "jax_explorer").rglob("*.py"):
        relative = path.relative_to(site)
        if {"scenarios", "scenario_template"} & {*relative.parts}:
            continue
        source = path.read_text(encoding="utf-8")
        assert len(source.splitlines()) == len((ROOT / _here(relative)).read_text(encoding="utf-8").splitlines())
        for node in ast.walk(ast.parse(source)):
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            named += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            assert not [each for each in named if each.partition(".")[0] in NAMES], relative
        modules = [each for each in strings(source) if re.fullmatch(r"(explorer|views|resources)(\.\w+)+", each)]
        assert [each for each in modules if not (ROOT / each).exists()] == [], relative


def _here(relative: Path) -> Path:
    return Path(*relative.parts[1:]) if relative.parts[1] in NAMES else relative


@pytest.mark.parametrize(
    ("source", "is_there"),
    [
        ("import resources\n", "from jax_explorer import resources\n"),
        ("import views.keys.paper\n", "import jax_explorer.views.keys.paper; from jax_explorer import views\n"),
        (
            "def f():\n    from views.x import (\n        y,\n    )\n",
            "    from jax_explorer.views.x import (\n        y,\n",
        ),
        ("x = 'ä'; import scenarios; y = 1\n", "x = 'ä'; from jax_explorer import scenarios; y = 1\n"),
        ("import os, explorers\nfrom . import views\n", "import os, explorers\nfrom . import views\n"),
        ("text = '''\nfrom explorer import cli\n'''\r\n", "text = '''\nfrom explorer import cli\n'''\r\n"),
    ],
)
def test_imports_mean_the_same_in_the_wheel(source: str, is_there: str) -> None:
    assert is_there in hook().moved(source)


def test_an_import_that_could_not_mean_the_same_is_no_wheel() -> None:
    with pytest.raises(ValueError, match="line 1"):
        hook().moved("import views as seen\n")


@pytest.mark.process
def test_every_module_of_the_wheel_can_be_imported(site: Path, tmp_path: Path) -> None:
    done = ran(site, tmp_path, "-c", IMPORT_ALL)
    assert (done.stdout, done.stderr) == ("all\n", "")


@pytest.mark.process
def test_a_program_imports_what_others_have_installed_and_what_lies_next_to_it(site: Path, tmp_path: Path) -> None:
    (tmp_path / "views.py").write_text("said = 'my views'\n")
    (tmp_path / "train.py").write_text(PROGRAM)
    says = "installed explorer my views installed scenarios installed resources\n"
    assert ran(site, tmp_path, "train.py").stdout == says
    assert ran(site, tmp_path, "-m", "jax_explorer", "run", "train.py").stdout == says
    checked = ran(site, tmp_path, "-m", "jax_explorer", "check", "train.py")
    assert "no bug in keys, tracing and values" in checked.stdout, checked


@pytest.mark.process
def test_ours_and_theirs_are_in_one_process(site: Path, tmp_path: Path) -> None:
    (tmp_path / "explorer").mkdir()
    (tmp_path / "explorer" / "__init__.py").write_text("said = 'mine'\n")
    (tmp_path / "explorer" / "later.py").write_text("said = 'mine too'\n")
    (tmp_path / "recorded.py").write_text(RECORDED)
    assert ran(site, tmp_path, "recorded.py").stdout == "mine mine too ['key-reuse']\n"
    (tmp_path / "test_mine.py").write_text(TESTS)
    plugin = ("-p", "no:jax-explorer", "-p", "jax_explorer.pytest_plugin", "-p", "no:cacheprovider")
    done = ran(site, tmp_path, "-m", "pytest", *plugin, "--jax-keys=strict", "test_mine.py")
    assert "bug[key-reuse]" in done.stdout, done
    assert "assert explorer.said" not in done.stdout


@pytest.mark.process
def test_the_engine_of_the_wheel_travels(site: Path, tmp_path: Path) -> None:
    done = ran(site, tmp_path, "-m", "jax_explorer", "check", "one_key_for_the_batch", "--on", sys.executable)
    assert "1 bug in 3 variants, as the scenario expects" in done.stdout, done


@pytest.mark.process
def test_pictures_are_drawn_from_the_wheel(site: Path, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("import jax\nx = jax.random.normal(jax.random.key(0), (3,))\n", encoding="utf-8")
    done = ran(site, tmp_path, "-m", "jax_explorer", "export", "own.py", "out")
    assert done.returncode == 0, done
    assert [*(tmp_path / "out").glob("*.png")]
