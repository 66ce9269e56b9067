"""Handouts of lessons, through the real worker."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from explorer.library import library
from tests.commands.programs import run, write
from tests.notebooks import executed


@pytest.mark.rest
@pytest.mark.process
def test_a_lesson_becomes_a_page_with_its_computed_answers(tmp_path: Path) -> None:
    file, edited = tmp_path / "out.html", tmp_path / "edited.py"
    edited.write_text(f"{library.open_target('one_key_for_the_batch').source}\n# mine\n", encoding="utf-8")
    done = run("handout", "one_key_for_the_batch", "--code", str(edited), "-o", str(file), "--lang", "ko")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(file)]
    page = file.read_text(encoding="utf-8")
    assert '<html lang="ko">' in page
    assert page.count('<p class="notes">') == 1
    assert "# mine" in page
    assert page.count("<svg ") >= 6
    assert page.count('<details class="answer">') == 4
    assert re.search("[A-C]: 모든 샘플이 key 하나를 받아", page)
    assert "32 examples" not in page
    assert "<text" not in page
    assert "{{" not in page


@pytest.mark.rest
@pytest.mark.process
def test_a_file_may_have_other_code_than_on_disk_with_its_modules_and_a_chosen_variant(tmp_path: Path) -> None:
    write(tmp_path, "helper.py", "def double(x):\n    return 2 * x\n")
    mine = write(tmp_path, "mine.py", "def one():\n    return 1\n")
    two = "def one():\n    return 1\n\n\ndef two():\n    return double(1)\n"
    edited, out = write(tmp_path, "edited", f"from helper import double\n\n\n{two}"), tmp_path / "out.html"
    done = run("handout", str(mine), "--code", str(edited), "--variant", "two", "-o", str(out))
    assert done.returncode == 0, done.stderr
    assert "two · jaxpr" in out.read_text("utf-8")


@pytest.mark.rest
@pytest.mark.process
def test_a_notebook_with_calls_that_fail_runs_from_top_to_bottom(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    file = tmp_path / "out.ipynb"
    done = run("handout", "concrete_value_needed", "-o", str(file), "--lang", "ko")
    assert done.returncode == 0, done.stderr
    assert json.loads(file.read_bytes())["nbformat"] == 4
    nbformat.validate(nbformat.read(file, as_version=4))
    book = executed(file)
    outputs = [cell.outputs for cell in book.cells if cell.cell_type == "code" and "call(" in cell.source]
    assert all(outputs[1:])
