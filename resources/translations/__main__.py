"""Bring the translations up to date: ``python -m resources.translations`` reads the code and writes .ts and .qm."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent


def read_code(translation: Path) -> None:
    """Add the texts of the code to the file `translation`, and take away those that the code has no more."""
    sources = [str(path) for folder in ("explorer", "views") for path in sorted((ROOT / folder).rglob("*.py"))]
    options = ("-locations", "none", "-no-obsolete", "-source-language", "en", "-target-language", "ko")
    _run("lupdate", *options, *sources, "-ts", str(translation))


def compile_file(translation: Path, compiled: Path) -> None:
    """Write the binary form of `translation`, which Qt reads."""
    _run("lrelease", str(translation), "-qm", str(compiled))


def _run(tool: str, *arguments: str) -> None:
    program = Path(sysconfig.get_path("scripts")) / f"pyside6-{tool}"
    subprocess.run([str(program), "-silent", *arguments], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    for each in sorted(FOLDER.glob("*.ts")):
        read_code(each)
        compile_file(each, each.with_suffix(".qm"))
        unfinished = each.read_text(encoding="utf-8").count('type="unfinished"')
        sys.stdout.write(f"{each.name}: {unfinished} texts have no translation yet\n")
