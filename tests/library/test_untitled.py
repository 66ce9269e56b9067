from __future__ import annotations

import ast

import pytest

from explorer.library import library, untitled
from tests.library.left_behind import leave


def test_a_new_file_begins_with_a_program_and_has_a_number_that_is_free() -> None:
    first = untitled.new(())
    assert isinstance(ast.parse(first.source).body[-1], ast.FunctionDef)
    leave("untitled_2_7", "x = 2\n")
    second = untitled.new({first.id})
    assert (first.title.text("en"), first.title.text("ko"), second.title.text("en")) == (
        "Untitled 1",
        "제목 없음 1",
        "Untitled 3",
    )
    assert second.filename == f"<{second.id}>"


def test_those_that_were_written_in_are_listed_and_found_by_their_ids() -> None:
    assert untitled.unsaved() == ()
    leave("untitled_2_7", "x = 2\n")
    leave("untitled_1_9", "x = 1\n")
    leave("one_key_for_the_batch", "x = 3\n")
    assert [each.id for each in untitled.unsaved()] == ["untitled_1_9", "untitled_2_7"]
    assert {each.id for each in library.everything()} >= {"untitled_1_9", "untitled_2_7"}
    assert library.open_target("untitled_2_7").origin == "new"


@pytest.mark.parametrize("target", ["untitled", "untitled_1", "untitled_x_1", "/a/untitled_1_2", "untitled_1_2.py"])
def test_nothing_else_is_a_new_file(target: str) -> None:
    assert untitled.find(target) is None
