"""Chooses the tests that a change since `main` can break: by the imports, and by a table of other dependencies."""

from __future__ import annotations

import ast
import fnmatch
import subprocess
from collections import deque
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("explorer", "jax_explorer", "views", "resources", "benchmarks", "tests")
MAINS = ("main", "origin/main")
STARTS = {
    "explorer.link.command": ("explorer.worker.__main__",),
    "explorer.commands.programs.local_end": ("explorer.commands.programs.remote_end",),
    "tests.link.fake_worker": ("explorer.worker.__main__",),
}
"""Modules that run others in a process of their own, which no import says."""
READ_BY = {
    "scenarios/*": ("tests/scenarios", "tests/test_korean.py"),
    "resources/translations/*": ("tests/window/test_translations.py", "tests/text", "tests/test_korean.py"),
    "resources/scenario_template/*": ("tests/scenarios/test_lessons.py",),
    "resources/*": ("tests/library", "tests/window"),
    "explorer/diagnostics/*": ("tests/checks", "tests/commands"),
    "explorer/worker/*/by_kind/*": ("tests/checks",),
    "docs/*": ("tests/test_documents.py", "tests/test_korean.py", "tests/worker/checks/test_kinds_table.py"),
    "*.md": ("tests/test_documents.py",),
    "install/*": ("tests/test_install.py",),
    ".github/*": ("tests/test_install.py",),
    "hatch_build.py": ("tests/test_wheel.py",),
    "pyproject.toml": ("tests/recording/test_in_pytest.py", "tests/test_wheel.py"),
    "tests/checks/*/while_tracing/*": ("tests/worker/checks",),
    "tests/checks/*": ("tests/checks", "tests/worker/fixes/test_silent.py"),
    "*/conftest.py": ("*",),
}
"""Files that tests read or get without an import, and those tests; `*`: all in the folder of the file."""


def changed() -> list[str]:
    """Return the files that differ from where this branch left `main`, those that git does not know yet too."""
    for main in MAINS:
        asked = _git("merge-base", "HEAD", main)
        if asked:
            return sorted({*_git("diff", "--name-only", asked[0]), *_git("ls-files", "--others", "--exclude-standard")})
    raise SystemExit("There is no branch `main` to compare with. Run all tests: python3 start.py --test")


def _git(*words: str) -> list[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()


def module_of(path: Path) -> str:
    """Return the name of the module in the file at `path`, relative to the folder of all packages."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def importers(root: Path = ROOT, gone: Iterable[str] = ()) -> dict[str, set[str]]:
    """Return, for each module below `root` and each of `gone`, those that import or start it.

    A module imports its packages, and one that imports by name every module below its own package.
    """
    files = {module_of(path.relative_to(root)): path for room in ROOMS for path in (root / room).rglob("*.py")}
    found: dict[str, set[str]] = {name: set() for name in (*files, *gone)}
    for name, path in files.items():
        by_name = 'import_module(f"{' in path.read_text(encoding="utf-8")
        beside = f"{name.rpartition('.')[0]}."
        siblings = (each for each in files if each.startswith(beside)) if by_name else ()
        for used in {*_imported(name, path), *siblings, *STARTS.get(name, ()), name}:
            parts = used.split(".")
            for end in range(1, len(parts) + 1):
                if (each := ".".join(parts[:end])) in found and each != name:
                    found[each].add(name)
    return found


def _imported(name: str, path: Path) -> Iterable[str]:
    """Yield the names of modules that the one at `path` may import, at its top or anywhere else."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def chosen(files: Iterable[str], root: Path = ROOT) -> dict[str, str]:
    """Return the test files that changes of `files` can break, the nearest first, with the reason for each."""
    waiting = deque((module_of(Path(file)), file) for file in files if file.endswith(".py"))
    known = importers(root, [module for module, _ in waiting])
    tests: dict[str, str] = {}
    seen: set[str] = set()
    for file in files:
        for pattern, readers in READ_BY.items():
            if fnmatch.fnmatch(file, pattern):
                folders = [str(Path(file).parent)] if readers == ("*",) else readers
                tests |= {each: f"reads {file}" for folder in folders for each in _tests_in(root, folder)}
    while waiting:
        module, why = waiting.popleft()
        if module in seen:
            continue
        seen.add(module)
        path = f"{module.replace('.', '/')}.py"
        if Path(path).name.startswith("test_") and (root / path).exists():
            tests.setdefault(path, why if why != path else "changed")
        waiting += [(each, why) for each in sorted(known.get(module, ()))]
    return tests


def _tests_in(root: Path, place: str) -> list[str]:
    found = root / place
    files = [found] if found.is_file() else sorted(found.rglob("test_*.py"))
    return [path.relative_to(root).as_posix() for path in files if path.exists()]
