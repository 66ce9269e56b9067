"""The window in another language: all texts translated and current, and no words of the old language after a switch."""

from __future__ import annotations

import ast
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from explorer.commands.parser import parser
from explorer.focus.variant_names import shown_variant
from explorer.library import library
from explorer.library.settings import Settings
from explorer.link.command import exit_words, program_ended
from explorer.scenario.measure_words import figure, figure_text
from explorer.scenario.measures import Evidence
from explorer.scenario.scenario import CHAPTERS, Scenario
from explorer.text import languages as known
from explorer.text.languages import known_languages
from explorer.window import connections, languages
from resources.translations import FOLDER, ROOT, worker
from resources.translations.window import compile_file, missing, read_code
from tests.window.ui import Ui
from views.help import glossary_window
from views.noise.arrays.picture_choice import shown_name
from views.program.program_words import counted

TEXTS = (
    "text",
    "iconText",
    "toolTip",
    "statusTip",
    "accessibleName",
    "placeholderText",
    "windowTitle",
    "title",
    "whatsThis",
)
"""Properties of Qt's classes that hold a visible text."""
Whole = Callable[..., Ui]
FILES = sorted(FOLDER.glob("*.ts"))
each_file = pytest.mark.parametrize("translation", FILES, ids=lambda path: path.stem)


def messages(translation: Path) -> list[tuple[str, ElementTree.Element]]:
    """Return (context, message) of each text in a file."""
    contexts = ElementTree.parse(translation).iter("context")
    return [(each.findtext("name", ""), message) for each in contexts for message in each.iter("message")]


def sources(translation: Path) -> set[tuple[str, str]]:
    """Return (context, text in the code) of each text in a file."""
    return {(context, message.findtext("source", "")) for context, message in messages(translation)}


@each_file
def test_translation_file_holds_the_texts_of_the_code(translation: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(translation, tmp_path))
    read_code(copy)
    lacking, obsolete = sources(copy) - sources(translation), sources(translation) - sources(copy)
    assert (sorted(lacking), sorted(obsolete)) == ([], []), "run: python -m resources.translations"
    assert copy.read_text() == translation.read_text(), "run: python -m resources.translations"


@each_file
def test_compiled_translations_are_those_of_the_translation_file(translation: Path, tmp_path: Path) -> None:
    compiled = tmp_path / "compiled.qm"
    compile_file(translation, compiled)
    assert compiled.read_bytes() == translation.with_suffix(".qm").read_bytes(), "run: python -m resources.translations"


@each_file
def test_every_text_has_a_finished_translation_with_the_same_placeholders(translation: Path) -> None:
    assert missing(translation) == []
    for context, message in messages(translation):
        source, text = message.findtext("source", ""), message.findtext("translation", "")
        assert text, (context, source)
        assert placeholders(source) == placeholders(text), (context, source, text)


@each_file
def test_every_translation_can_be_filled_in(translation: Path) -> None:
    for context, message in messages(translation):
        text = message.findtext("translation", "")
        fields = [name for _, name, _, _ in Formatter().parse(text) if name is not None] if "{" in text else []
        assert not ("" in fields and any(name.isdigit() for name in fields)), (context, text)


@pytest.mark.rest
@each_file
def test_every_text_that_the_code_asks_for_is_in_the_translation_file(translation: Path) -> None:
    known = {source for _, source in sources(translation)}
    asked = [
        each for folder in ("explorer", "views") for path in (ROOT / folder).rglob("*.py") for each in texts_in(path)
    ]
    assert len(asked) > 500
    assert [each for each in asked if each[1] not in known] == []


@pytest.fixture
def whole(qapp: QApplication) -> Iterator[Whole]:
    """Return a function that opens the whole window in a language, with a session whose worker never runs."""

    def made(language: str, lesson: Scenario | None = None) -> Ui:
        languages.install(qapp, language)
        ui = Ui(qapp, Settings(), language)
        opened.append(ui)
        # Wide enough to say everything whole.
        ui.window.resize(1920, 1080)
        ui.window.show()
        connections.add_plots(ui.window, ui.session, ui.desk)
        ui.desk.take_up(lesson or library.open_target("one_key_for_the_batch"))
        ui.desk.files.list_scenarios()
        return ui

    opened: list[Ui] = []
    yield made
    for each in opened:
        each.close()


@pytest.mark.parametrize(("first", "then"), [("en", "ko"), ("ko", "en")])
def test_a_switched_window_says_what_a_new_one_says(whole: Whole, qapp: QApplication, first: str, then: str) -> None:
    switched = whole(first)
    before = texts_of(switched.window)
    switched.window.action(f"language_{then}").trigger()
    new = whole(then)
    for _ in range(5):
        qapp.processEvents()
    assert texts_of(switched.window) == texts_of(new.window)
    assert len(before - texts_of(new.window)) > 150


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a third language be there, made of files alone."""
    monkeypatch.setattr(known, "FOLDER", tmp_path)
    for path in (each for ending in ("toml", "qm", "mo") for each in FOLDER.glob(f"*.{ending}")):
        shutil.copy(path, tmp_path)
    for place, content in GERMAN.items():
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(content, encoding="utf-8")
    compile_file(tmp_path / "jax-explorer_de.ts", tmp_path / "jax-explorer_de.qm")
    worker.compile_file(tmp_path / "worker_de.po", tmp_path / "worker_de.mo")


GERMAN = {
    "de.toml": 'name = "Deutsch"\nenglish = "German"\nlarge_numbers = [[1e6, "{} Mio."]]',
    "jax-explorer_de.ts": """<!DOCTYPE TS><TS version="2.1" language="de" sourcelanguage="en">
        <context><name>CommandTable</name>
        <message><source>&amp;View</source><translation>&amp;Ansicht</translation></message></context></TS>""",
    "worker_de.po": """
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Keys"
msgstr "Schlüssel"

msgid "{n} draws"
msgstr "{n} Ziehungen"

msgid "yes"
msgstr "ja"
""",
    "two_draws/code.py": "def twice():\n    return 2\n",
    "two_draws/story.en.md": "## One\n\nThe first.\n\n## Two\n\nThe second.\n",
    "two_draws/story.de.md": "## Eins\n\nDer erste.\n\n## Zwei\n\nDer zweite.\n",
    "two_draws/scenario.toml": """title = { en = "Two draws", de = "Zwei Ziehungen" }
[[variants]]
name = "twice"
title = { en = "Doubled", de = "Verdoppelt" }
[[steps]]
[steps.question]
text = { en = "How many?", de = "Wie viele?" }
reasons = [
    { en = "one", de = "eine", holds = "printed == 1" },
    { en = "two of them", holds = "printed == 2" },
]
[[steps]]
""",
}


@pytest.mark.usefixtures("german")
def test_a_third_language_is_offered_because_its_files_are_there(whole: Whole) -> None:
    assert known_languages() == ("en", "de", "ko")
    offered = [whole("de").window.action(f"language_{each}").text() for each in known_languages()]
    assert offered == ["&English", "Deutsch", "한국어"]
    assert parser().parse_args(["open", "--lang", "de"]).lang == "de"
    with pytest.raises(SystemExit):
        parser().parse_args(["open", "--lang", "fr"])


@pytest.mark.usefixtures("german")
def test_a_lesson_is_shown_in_a_third_language_and_in_english_where_it_has_none(whole: Whole, tmp_path: Path) -> None:
    lesson = library.open_target(str(tmp_path / "two_draws"))
    assert lesson.problem == ""
    shown = texts_of(whole("de", lesson).window)
    assert {"Zwei Ziehungen", "Wie viele?", "eine", "two of them", "&Ansicht"} <= set(shown)
    assert "Two draws" not in shown
    english = texts_of(whole("fr", lesson).window)
    assert {"Two draws", "How many?", "two of them", "&View"} <= set(english)


@pytest.mark.usefixtures("german")
def test_answers_numbers_and_the_glossary_are_in_a_third_language_where_it_has_words(qapp: QApplication) -> None:
    languages.install(qapp, "de")
    assert [figure_text("draws", number, Evidence(), "de") for number in (1, 3)] == ["1 draw", "3 Ziehungen"]
    assert [CHAPTERS[number].in_language("de") for number in (1, 2)] == ["Schlüssel", "Batches"]
    assert figure("", True, "de") == "ja"
    assert counted(3.2e6) == "3.2 Mio."
    assert [each.id for each in glossary_window.found("seed", "de")][:1] == ["seed"]


def placeholders(text: str) -> Counter[str]:
    """Return the fields of `text`; those without a name by their number."""
    names = re.findall(r"\{(\w*)(?::\w+)?\}", text)
    return Counter(name or str(number) for number, name in enumerate(names))


def texts_in(path: Path) -> list[tuple[str, str]]:
    """Return (place, text) of each call in `path` that asks for a translation."""
    found: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            asked = node.args[0] if node.func.attr == "tr" else node.args[-1] if node.func.attr == "translate" else None
            if isinstance(asked, ast.Constant) and isinstance(asked.value, str):
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


def test_names_of_draws_and_variants_and_the_end_of_a_process_are_shown_in_korean(qapp: QApplication) -> None:
    languages.install(qapp, "ko")
    assert [shown_name(name) for name in ("normal, line 4", "output['loss']")] == ["normal, 4번째 줄", "output['loss']"]
    assert [shown_variant(name) for name in ("f", "f as it was")] == ["f", "고치기 전 f"]
    assert [str(exit_words(code)) for code in (7, -11)] == ["종료 코드 7", "segmentation fault"]
    assert str(program_ended(exit_words(-11))) == "프로그램이 자기 프로세스를 끝냈습니다: segmentation fault."


@pytest.mark.parametrize(
    ("number", "english", "korean"),
    [
        (640, "640", "640"),
        (99_999, "99,999", "99,999"),
        (3.2e6, "3.2 million", "320만"),
        (12_345_678, "12.3 million", "1,235만"),
        (1.25e9, "1.25 billion", "12.5억"),
        (5e11, "500 billion", "5,000억"),
        (2e12, "2 trillion", "2조"),
    ],
)
def test_large_numbers_are_counted_as_the_language_does(
    qapp: QApplication, number: float, english: str, korean: str
) -> None:
    languages.install(qapp, "en")
    assert counted(number) == english
    languages.install(qapp, "ko")
    assert counted(number) == korean
