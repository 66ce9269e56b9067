"""The texts of the window, which Qt translates: ``lupdate`` collects them in a .ts file, ``lrelease`` compiles it."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path
from xml.etree import ElementTree

from resources.translations import ROOT


def read_code(translation: Path) -> None:
    """Add the texts of the code to the file `translation`, and take away those that the code has no more."""
    sources = [str(path) for folder in ("explorer", "views") for path in sorted((ROOT / folder).rglob("*.py"))]
    language = translation.stem.partition("_")[2]
    options = ("-locations", "none", "-no-obsolete", "-source-language", "en", "-target-language", language)
    _run("lupdate", *options, *sources, "-ts", str(translation))


def compile_file(translation: Path, compiled: Path) -> None:
    """Write the binary form of `translation`, which Qt reads."""
    _run("lrelease", str(translation), "-qm", str(compiled))


def missing(translation: Path) -> list[str]:
    """Return the texts that `translation` lacks."""
    messages = ElementTree.parse(translation).iter("message")
    return [
        each.findtext("source", "") for each in messages if each.find("translation[@type='unfinished']") is not None
    ]


def _run(tool: str, *arguments: str) -> None:
    program = Path(sysconfig.get_path("scripts")) / f"pyside6-{tool}"
    subprocess.run([str(program), "-silent", *arguments], check=True, stdout=subprocess.DEVNULL)
