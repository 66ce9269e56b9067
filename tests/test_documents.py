"""What the documents say of the tree is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TABLE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("## A line per file")[1].split("## Rules")[0]


def named_in(folder: str) -> set[str]:
    """Return the files and folders that the table names under the heading of `folder`."""
    _, _, rows = TABLE.partition(f"| **{folder}/** |")
    own = rows.partition("| **")[0].splitlines()[1:]
    return {name for row in own for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


@pytest.mark.parametrize("folder", ["explorer", "explorer/worker"])
def test_the_table_of_the_architecture_has_every_module(folder: str) -> None:
    there = [path for path in (ROOT / folder).iterdir() if (path / "__init__.py").exists() or path.suffix == ".py"]
    names = {path.name if path.suffix else f"{path.name}/" for path in there}
    assert named_in(folder) == names - {"__init__.py", "worker/"}


def test_every_file_that_a_document_links_to_is_there() -> None:
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        links = re.findall(r"\]\(([\w./-]+\.\w+)\)", document.read_text(encoding="utf-8"))
        assert [link for link in links if not (document.parent / link).exists()] == []
