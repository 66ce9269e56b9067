"""The workflows and the installers, as far as they can be tested on this machine."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from explorer import qt_libraries

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PYTHON = """#!/bin/sh
# Stands for a Python that makes environments and installs into them.
case "$*" in
*"-m venv"*)
    for folder; do :; done
    mkdir -p "$folder/bin"
    cp "$0" "$folder/bin/python"
    printf '#!/bin/sh\\necho "ran: $*"\\n' >"$folder/bin/jax-explorer"
    chmod +x "$folder/bin/jax-explorer" ;;
*"pip install"*) echo "installs: $*" ;;
esac
"""
needs_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="desktop entries are Linux's")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_can_be_read_and_names_what_is_there(path: Path) -> None:
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    assert jobs
    for job in jobs.values():
        assert {"runs-on", "steps"} <= {*job}
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            named = re.findall(r"(?<![\w~/])(?:\.ci|install|tests)[/\\][\w.]+", step.get("run", ""))
            assert [each for each in named if not (ROOT / each.replace("\\", "/")).exists()] == []


def test_the_suite_runs_on_three_systems_with_three_pythons_and_three_versions_of_jax() -> None:
    matrix = yaml.safe_load(WORKFLOWS[0].read_text(encoding="utf-8"))["jobs"]["suite"]["strategy"]["matrix"]
    assert [each.partition("-")[0] for each in matrix["system"]] == ["ubuntu", "macos", "windows"]
    jax = {each["python"]: tuple(map(int, each["jax"].split("."))) for each in matrix["include"]}
    assert [*jax] == matrix["python"]
    assert [version[:2] for version in jax.values()] == [(0, 10), (0, 11), (0, 12)]
    # A JAX of before 0.11 is the newest for Python 3.11.
    assert jax["3.11"] < (0, 11)


SYSTEMS = (
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda each: each["platform_system"])
def test_everything_that_start_py_installs_has_one_version(system: dict[str, str]) -> None:
    """And the hashes of its files: pip, what builds our own package, and what only a package of a package asks for."""
    fixed = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("constraints.txt", "install/pip.txt"))
    pins = re.findall(r"^([\w.-]+)==\S+ (?:; .*)?--hash=sha256:", fixed, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = (*project["project"]["dependencies"], *project["dependency-groups"]["dev"])
    waiting = [*map(Requirement, (*wanted, *project["build-system"]["requires"]))]
    needed = {"pip"}
    while waiting:
        each = waiting.pop()
        applies = each.marker is None or each.marker.evaluate({"extra": "", **system})
        if applies and (name := canonicalize_name(each.name)) not in needed:
            needed.add(name)
            with suppress(PackageNotFoundError):
                waiting += map(Requirement, distribution(name).requires or ())
    assert needed - {*map(canonicalize_name, pins)} == set()


def test_start_py_asks_for_these_versions_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT)
    start = importlib.import_module("start")
    commands: list[list[str]] = []
    monkeypatch.setattr(start, "STAMP", tmp_path / "set-up")
    monkeypatch.setattr(start.subprocess, "run", lambda command, **_: commands.append([*map(str, command)]))
    start.set_up()
    *fixed, own = [each[each.index("--disable-pip-version-check") + 1 :] for each in commands if "install" in each]
    assert [each[:2] for each in fixed] == [["-r", "install/pip.txt"], ["-c", "constraints.txt"]]
    assert own == ["--no-index", "--no-deps", "--no-build-isolation", "--editable", "."]


@needs_linux
@pytest.mark.parametrize("manager", qt_libraries.PACKAGES)
def test_what_qt_lacks_is_named_with_the_command_that_installs_it(
    manager: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(qt_libraries.shutil, "which", lambda name: name if name == manager else None)
    monkeypatch.setattr(qt_libraries, "is_root", lambda: False)
    # A plugin that is not there ends as one whose library is not there.
    said = qt_libraries.problem(modules=(), platforms=("libqnone.so",))
    assert "libqnone.so" in said
    assert f"sudo {qt_libraries.INSTALL[manager]} " in said


def test_what_qt_lacks_is_found_next_to_a_module_with_our_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "explorer.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    run, ended = subprocess.run, []

    def noted(command: list[str], **settings: object) -> subprocess.CompletedProcess[str]:
        ended.append(run(command, **settings))
        return ended[-1]

    monkeypatch.setattr(qt_libraries.subprocess, "run", noted)
    said = qt_libraries.problem_seen_apart()
    assert [each.returncode for each in ended] == [bool(said)]


@needs_linux
def test_what_qt_lacks_is_installed_by_root_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    lacks, ran = ["Qt does not find libGL.so.1"], []
    monkeypatch.setattr(qt_libraries, "problem_seen_apart", lambda: "".join(lacks))
    monkeypatch.setattr(qt_libraries.shutil, "which", lambda name: name if name == "dnf" else None)

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        lacks.clear()
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(qt_libraries.subprocess, "run", run)
    monkeypatch.setattr(qt_libraries, "is_root", lambda: False)
    assert not qt_libraries.install_if_missing()
    assert not ran
    monkeypatch.setattr(qt_libraries, "is_root", lambda: True)
    assert qt_libraries.install_if_missing()
    assert ran == [["dnf", "install", "-y", *qt_libraries.PACKAGES["dnf"].split()]]


@pytest.fixture
def installed(tmp_path: Path):
    """Return a function that runs the installer for Linux, with a temporary home and a Python that installs nothing."""
    home = tmp_path / "a home"
    python = tmp_path / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    settings = {"HOME": str(home), "PYTHON": str(python), "PATH": os.environ["PATH"]}

    def run(*words: str) -> tuple[Path, str]:
        command = ["sh", str(ROOT / "install" / "linux.sh"), *words]
        done = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
        return home, done.stdout

    return run


@needs_linux
def test_the_installer_makes_a_command_and_a_menu_entry(installed) -> None:
    home, output = installed("some.whl")
    installs = re.findall(r"installs: .* --disable-pip-version-check (.*)\n", output)
    assert [each.replace(f"{ROOT}/install/", "") for each in installs] == [
        "-r pip.txt",
        f"-c ../constraints.txt -r {home}/.local/share/jax-explorer-program/needed.txt",
        "--build-constraint ../constraints.txt some.whl",
    ]
    command = subprocess.run([home / ".local/bin/jax-explorer", "list"], capture_output=True, text=True, check=True)
    assert command.stdout == "ran: list\n"
    data = home / ".local" / "share"
    entry = (data / "applications" / "jax-explorer.desktop").read_text(encoding="utf-8")
    assert f'Exec="{data}/jax-explorer-program/env/bin/jax-explorer" %f\n' in entry
    assert (data / "icons/hicolor/scalable/apps/jax-explorer.svg").exists()
    if check := shutil.which("desktop-file-validate"):
        entry_file = data / "applications" / "jax-explorer.desktop"
        assert subprocess.run([check, entry_file], capture_output=True, text=True, check=True).stdout == ""


@needs_linux
def test_the_installer_takes_away_what_it_made_and_nothing_else(installed) -> None:
    home, _ = installed("some.whl")
    own = home / ".local" / "share" / "jax-explorer" / "scenarios" / "mine.py"
    own.parent.mkdir(parents=True)
    own.write_text("")
    installed("--remove")
    left = {path.relative_to(home).as_posix() for path in home.rglob("*") if "jax" in path.name}
    assert left == {".local/share/jax-explorer"}
    assert own.exists()


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_the_shell_scripts_are_sound() -> None:
    scripts = [str(path) for path in sorted((ROOT / "install").glob("*.sh"))]
    done = subprocess.run(["shellcheck", "-x", *scripts], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == ""
