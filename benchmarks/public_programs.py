"""What we find in programs that others ship: ``python -m benchmarks.public_programs [NAME...] [--python PYTHON]``.

``public_programs.toml`` names packages, their versions, and the programs in their source distributions. Each program
runs as it stands under ``jax-explorer run --values`` in PYTHON, which has the packages. Each finding at level bug or
warning is compared with the verdict that a person gave it: *real* (a mistake), *shown* (a mistake that a guide makes to
show it), *meant* (true, and on purpose), *false* (untrue), *repeated* (another finding's cause). Nothing of theirs is
copied here: ``pip download`` gets it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

LIST = Path(__file__).with_suffix(".toml")
ROOT = Path(__file__).parent.parent
TIMEOUT_S = 240
_CELL = re.compile(
    r"^```\{code-cell\}.*?$\n(?:---$.*?^---$\n|(?::[^\n]*\n)*)(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
_MAGIC = re.compile(r"^(\s*)(?:[\w, ]+=\s*)?[%!].*$", re.MULTILINE)


class Found(NamedTuple):
    """A finding in a program, by what a verdict names it with."""

    level: str
    kind: str
    line: int

    def __str__(self) -> str:
        return f"{self.kind} {self.line}"


class Ran(NamedTuple):
    """A program that was run: its findings, and how it ended."""

    name: str
    found: tuple[Found, ...]
    end: str
    """``ok``, the type of the error that ended it, or ``timeout``."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.public_programs")
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts of the names of programs; all by default")
    parser.add_argument("--python", default=sys.executable, help="the Python that has the packages (this one)")
    parser.add_argument("--folder", type=Path, default=Path.home() / ".cache" / "jax-explorer-public-programs")
    options = parser.parse_args()
    levels, judged, ends = Counter[str](), Counter[str](), Counter[str]()
    verdicts = tomllib.loads(LIST.read_text(encoding="utf-8"))
    for name, path in _programs(verdicts, options.folder, options.names):
        ran = _run(name, path, options.python)
        known = verdicts.get("verdicts", {}).get(name, {})
        ends["ok" if ran.end == "ok" else "ended early"] += 1
        print(f"{name}: {ran.end}", flush=True)
        for each in ran.found:
            verdict = known.get(str(each), "no verdict yet")
            judged[f"{each.level} {verdict}"] += 1
            levels[each.level] += 1
            print(f"    {each.level:7} {each}: {verdict}", flush=True)
        for gone in known.keys() - {str(each) for each in ran.found}:
            print(f"    gone    {gone}: {known[gone]}", flush=True)
    print(f"\nprograms: {_counted(ends)}\nfindings: {_counted(levels)}\nverdicts: {_counted(judged)}")


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(counts.items())) or "none"


def _programs(listed: dict[str, Any], folder: Path, wanted: list[str]) -> Iterator[tuple[str, Path]]:
    """Yield (name, file) of each listed program; the source of its package is downloaded where it is not there."""
    for package in listed["packages"]:
        for each in package["programs"]:
            name = f"{package['name']}/{each}"
            if not wanted or any(part in name for part in wanted):
                yield name, _as_python(_source(package["name"], package["version"], folder) / each)


def _source(name: str, version: str, folder: Path) -> Path:
    """Return the folder with the unpacked source distribution of a package. Raises CalledProcessError."""
    stems = [folder / f"{each}-{version}" for each in (name, name.replace("-", "_"))]
    if not any(each.exists() for each in stems):
        folder.mkdir(parents=True, exist_ok=True)
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        subprocess.run([*download, "--dest", str(folder), f"{name}=={version}"], check=True)
        archive = next(folder.glob(f"*{version}.tar.gz"))
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        archive.unlink()
    return next(each for each in stems if each.exists())


def _as_python(path: Path) -> Path:
    """Return `path`, or the code of the notebook there as a program next to it, magic commands left out."""
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    elif path.suffix == ".md":
        codes = [found["code"] for found in _CELL.finditer(path.read_text(encoding="utf-8"))]
    else:
        return path
    made = path.with_name(f"{path.stem.replace('-', '_')}_code.py")
    made.write_text(_MAGIC.sub(r"\1pass", "\n\n".join(codes)), encoding="utf-8")
    return made


def _run(name: str, path: Path, python: str) -> Ran:
    report = path.with_suffix(".findings.json")
    report.unlink(missing_ok=True)
    command = [python, "-m", "jax_explorer", "run", "--values", "--json", str(report), path.name]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}
    try:
        subprocess.run(command, cwd=path.parent, env=environment, timeout=TIMEOUT_S, capture_output=True, check=False)
    except subprocess.TimeoutExpired:
        return Ran(name, (), "timeout")
    try:
        made = json.loads(report.read_bytes())
    except (OSError, ValueError):
        return Ran(name, (), "no report")
    found = (
        Found(each["level"], each["kind"], (each["lines"] or [0])[0])
        for each in made["findings"] or ()
        if each["level"] != "note"
    )
    return Ran(name, tuple(found), made["error"]["type"] if made["error"] else "ok")


if __name__ == "__main__":
    main()
