from __future__ import annotations

from pathlib import Path

import pytest

from explorer.library.folder import from_folder
from explorer.scenario.scenario import Step

STORY = """# A story

<!-- note: before the first step: nobody's -->
## One <!-- note: at the title -->
Words <!-- note: in a line --> go on.

<!-- note: Over
     lines, with
---
and
## no heading.
-->

---

Told.
<!-- NOTE:after -->

## Two
```
<!-- note: this is code -->
```
<!-- a comment of another kind -->
"""


def steps(folder: Path, story: str) -> tuple[Step, ...]:
    (folder / "code.py").write_text("def f(): ...\n", encoding="utf-8")
    (folder / "story.en.md").write_text(story, encoding="utf-8")
    return from_folder(folder, "mine").story("en")


def test_notes_are_taken_out_of_the_words(tmp_path: Path) -> None:
    one, two = steps(tmp_path, STORY)
    assert (one.title, one.text, one.reveal) == ("One", "Words go on.", "Told.")
    assert one.note == "at the title\n\nin a line\n\nOver\nlines, with\n---\nand\n## no heading."
    assert one.reveal_note == "after"
    assert two.title == "Two"
    assert "this is code" in two.text
    assert not two.note


@pytest.mark.parametrize("end", ["", "--", "\n## Two\nWords.\n"])
def test_a_note_without_an_end_is_not_shown(tmp_path: Path, end: str) -> None:
    (one,) = steps(tmp_path, f"## One\nWords.\n<!-- note: secret{end}")
    assert one.text == "Words."
    assert one.note.startswith("secret")


def test_an_empty_note_is_none(tmp_path: Path) -> None:
    (one,) = steps(tmp_path, "## One\nWords.\n<!-- note: -->\n")
    assert (one.text, one.note) == ("Words.", "")
