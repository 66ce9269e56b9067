"""The documents agree with the tree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
MOST_WORDS = 1800
PACKAGES = sorted(
    path.parent.relative_to(ROOT) for room in ("explorer", "views") for path in (ROOT / room).rglob("__init__.py")
)


def rooms_named_in(folder: str) -> set[str]:
    """Return the rooms that the table under the heading of `folder` names."""
    _, _, rows = ARCHITECTURE.partition(f"| {folder}/ | |")
    own = rows.partition("\n\n")[0].splitlines()[2:]
    return {name for row in own for name in re.findall(r"`(\w+)/?`", row.split("|")[1])}


@pytest.mark.parametrize("folder", ["explorer", "explorer/worker", "views"])
def test_the_tables_of_the_architecture_have_every_room(folder: str) -> None:
    there = [path for path in (ROOT / folder).iterdir() if (path / "__init__.py").exists() or path.suffix == ".py"]
    assert rooms_named_in(folder) == {path.stem for path in there} - {"__init__", "__main__"}


def test_the_architecture_is_short_enough_to_be_read() -> None:
    assert len(ARCHITECTURE.split()) <= MOST_WORDS


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_a_room_says_what_it_is_for(package: Path) -> None:
    folder = ROOT / package
    docstring = (folder / "__init__.py").read_text(encoding="utf-8").split('"""')[1]
    assert len(re.findall(r"[^.]{10,}[.]", docstring)) >= 2


def test_every_file_that_a_document_links_to_is_there() -> None:
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        links = re.findall(r"\]\(([\w./-]+\.\w+)\)", document.read_text(encoding="utf-8"))
        assert [link for link in links if not (document.parent / link).exists()] == []
