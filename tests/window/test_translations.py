"""The window in another language: nothing untranslated, nothing out of date, and a switch leaves no word behind."""

from __future__ import annotations

import ast
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from string import Formatter
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.focus.variant_names import shown_variant
from explorer.library import library
from explorer.library.settings import Settings
from explorer.link.process import told_exit
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window import connections, languages
from explorer.window.desk import Desk
from resources.translations.__main__ import ROOT, compile_file, read_code
from tests.session.client import Client
from views.noise.arrays.array_names import shown_name
from views.window.main_window import MainWindow

TEXTS = ("text", "iconText", "toolTip", "statusTip", "accessibleName", "placeholderText", "windowTitle", "title")
"""Properties of Qt's classes that hold a text for the person."""
KOREAN = languages.FOLDER / "jax-explorer_ko.ts"
MESSAGES = [
    (context.findtext("name", ""), message)
    for context in ElementTree.parse(KOREAN).iter("context")
    for message in context.iter("message")
]


def test_translation_file_holds_the_texts_of_the_code(tmp_path: Path) -> None:
    copy = Path(shutil.copy(KOREAN, tmp_path))
    read_code(copy)
    assert copy.read_text() == KOREAN.read_text(), "run: python -m resources.translations"


def test_compiled_translations_are_those_of_the_translation_file(tmp_path: Path) -> None:
    compiled = tmp_path / "ko.qm"
    compile_file(KOREAN, compiled)
    assert compiled.read_bytes() == KOREAN.with_suffix(".qm").read_bytes(), "run: python -m resources.translations"


def test_every_text_has_a_finished_translation_with_the_same_placeholders() -> None:
    for context, message in MESSAGES:
        translation = message.find("translation")
        assert translation is not None
        source, text = message.findtext("source", ""), translation.text or ""
        assert text, (context, source)
        assert "type" not in translation.attrib, (context, source)
        assert placeholders(source) == placeholders(text), (context, source, text)


def test_every_translation_can_be_filled_in() -> None:
    for context, message in MESSAGES:
        text = message.findtext("translation", "")
        fields = [name for _, name, _, _ in Formatter().parse(text) if name is not None] if "{" in text else []
        assert not ("" in fields and any(name.isdigit() for name in fields)), (context, text)


def test_every_text_that_the_code_asks_for_is_in_the_translation_file() -> None:
    known = {message.findtext("source", "") for _, message in MESSAGES}
    asked = [
        each for folder in ("explorer", "views") for path in (ROOT / folder).rglob("*.py") for each in texts_in(path)
    ]
    assert len(asked) > 500
    assert [each for each in asked if each[1] not in known] == []


@pytest.fixture
def whole(qapp: QApplication, qtbot: QtBot) -> Callable[[str], MainWindow]:
    """Return a function that opens the whole window in a language, with a session whose worker is never asked."""

    def made(language: str) -> MainWindow:
        languages.install(qapp, language)
        window, client = MainWindow(), Client()
        session = Session(client, Workspace(time_automatically=False))  # type: ignore[arg-type]
        desk = Desk(qapp, window, session, Settings(), language, keeps_settings=False)
        connections.connect(window, session, client, desk)  # type: ignore[arg-type]
        connections.add_plots(window, session, desk)
        desk.take_up(library.open_target("one_key_for_the_batch"))
        desk.files.list_scenarios()
        qtbot.addWidget(window)
        session.setParent(window)
        client.setParent(window)
        return window

    return made


@pytest.mark.parametrize(("first", "then"), [("en", "korean"), ("ko", "english")])
def test_a_switched_window_says_what_a_new_one_says(
    whole: Callable[[str], MainWindow], qapp: QApplication, first: str, then: str
) -> None:
    switched = whole(first)
    before = texts_of(switched)
    switched.action(then).trigger()
    qapp.processEvents()
    new = whole({"korean": "ko", "english": "en"}[then])
    assert texts_of(switched) == texts_of(new)
    assert len(before - texts_of(new)) > 150


def placeholders(text: str) -> Counter[str]:
    """Return the fields of `text`; those without a name by their number."""
    names = re.findall(r"\{(\w*)\}", text)
    return Counter(name or str(number) for number, name in enumerate(names))


def texts_in(path: Path) -> list[tuple[str, str]]:
    """Return (place, text) of each call in `path` that asks for a translation."""
    found: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            asked = node.args[0] if node.func.attr == "tr" else node.args[-1] if node.func.attr == "translate" else None
            if isinstance(asked, ast.Constant):
                found.append((f"{path.name}:{node.lineno}", asked.value))
    return found


def texts_of(window: QWidget) -> Counter[str]:
    """Return every text in the properties of `window` and all in it."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # Qt names the buttons that it makes for docks and tabs once; those of docks are under title bars of ours.
    parts = [
        part
        for part in (window, *window.findChildren(QObject))
        if not part.objectName().startswith(("qt_dock", "Scroll"))
    ]
    return Counter(text for part in parts for name in TEXTS if isinstance(text := part.property(name), str) and text)


def test_names_of_draws_and_variants_and_the_end_of_a_process_are_told_in_korean(qapp: QApplication) -> None:
    languages.install(qapp, "ko")
    assert [shown_name(name) for name in ("normal, line 4", "output['loss']")] == ["normal, 4번 줄", "output['loss']"]
    assert [shown_variant(name) for name in ("f", "f as it was")] == ["f", "고치기 전 f"]
    assert [told_exit(code) for code in (7, -11)] == ["종료 코드 7", "segmentation fault"]
