"""Puts our packages into the wheel below ``jax_explorer``, so that site-packages gets no other name from us.

``explorer``, ``views``, ``scenarios`` and ``resources`` are names that others have, too: programs of the people who
use us, and packages beside us. What imports ``explorer.figures`` here imports ``jax_explorer.explorer.figures`` in the
wheel; each line stays the line that it is.
"""

from __future__ import annotations

import ast
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOME = "jax_explorer"
MOVED = ("explorer", "views", "scenarios", "resources")
LESSONS = ("scenarios", "scenario_template")
"""What is in these folders is a person's code: it imports nothing of ours and need not be sound."""


class Moved(BuildHookInterface):
    """Adds the moved packages to a wheel that is to be installed, and nothing to an editable one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the packages as they are to be, and name them to the builder."""
        self._folder = Path(tempfile.mkdtemp(prefix="jax-explorer-wheel-"))
        if version == "standard":
            write(Path(self.root), self._folder)
            build_data["force_include"][str(self._folder / HOME)] = HOME

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Throw away what was written for the builder."""
        shutil.rmtree(self._folder, ignore_errors=True)


def write(root: Path, folder: Path) -> None:
    """Write the packages of `root` into `folder`, those of `MOVED` below `HOME`."""
    for name in (HOME, *MOVED):
        target = folder / HOME / (name if name in MOVED else "")
        shutil.copytree(
            root / name, target, ignore=shutil.ignore_patterns("__pycache__", "*.py[co]"), dirs_exist_ok=True
        )
    for path in sorted(folder.rglob("*.py")):
        if not set(LESSONS) & set(path.relative_to(folder).parts):
            # Bytes: the ends of lines stay as they are.
            path.write_bytes(moved(path.read_bytes().decode("utf-8")).encode("utf-8"))


def moved(source: str) -> str:
    """Return `source` with its imports of `MOVED` as they are below `HOME`, and the same number of lines."""
    lines = source.splitlines(keepends=True)
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    # From the last one on, so that places in a line stay what they are.
    for node in sorted(found, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        old = ast.get_source_segment(source, node) or ""
        new = _from(old, node) if isinstance(node, ast.ImportFrom) else _import(old, node)
        head = old.partition("\n")[0]
        place = node.lineno - 1
        before = lines[place].encode()[: node.col_offset].decode()
        lines[place] = before + new + lines[place][len(before) + len(head.removesuffix("\r")) :]
    return "".join(lines)


def _from(old: str, node: ast.ImportFrom) -> str:
    """Return the first line of a ``from ... import``."""
    head = old.partition("\n")[0].removesuffix("\r")
    is_moved = node.level == 0 and (node.module or "").partition(".")[0] in MOVED
    return head.replace("from ", f"from {HOME}.", 1) if is_moved else head


def _import(old: str, node: ast.Import) -> str:
    """Return an ``import`` that gives the same name to the same package."""
    names = [alias.name for alias in node.names if alias.name.partition(".")[0] in MOVED]
    if not names:
        return old.partition("\n")[0].removesuffix("\r")
    if len(node.names) > 1 or node.names[0].asname:
        raise ValueError(f"line {node.lineno}: {old}: one package an import, without another name")
    return "; ".join(_imports(names[0]))


def _imports(name: str) -> Iterator[str]:
    top = name.partition(".")[0]
    if name != top:
        yield f"import {HOME}.{name}"
    yield f"from {HOME} import {top}"
