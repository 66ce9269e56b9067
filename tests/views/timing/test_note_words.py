"""What is said of a point that has no figure or was cut short."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from explorer.messages import Failure, Measurement
from explorer.window import languages
from views.timing.note_words import note_in_words, reason_in_words

STOPPED = Measurement(1, "f", ("jit",), {}, "cpu:0", final=True, cut_short=True)
FAILED = Measurement(1, "f", ("jit",), {}, "cpu:0", final=True, failure=Failure("ValueError", "no"))


@pytest.mark.parametrize(
    ("language", "reason", "note"),
    [
        ("en", "stopped before there was a sample", "cut short; samples until then: 3"),
        ("ko", "표본이 나오기 전에 멈춤", "중간에 멈춤, 그때까지 표본 3개"),
    ],
)
def test_a_point_that_was_stopped_is_told_in_the_readers_language(
    qapp: QApplication, language: str, reason: str, note: str
) -> None:
    languages.install(qapp, language)
    try:
        assert reason_in_words(STOPPED) == reason
        assert reason_in_words(FAILED) == "ValueError: no"
        assert note_in_words("cut short: stopped after 3 samples") == note
    finally:
        languages.install(qapp, "en")
