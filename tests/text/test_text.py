"""Texts as data: rendered in the language that is read, joined without losing it, and none without a translation."""

from __future__ import annotations

from pathlib import Path
from string import Formatter

import msgspec
import pytest
from babel.messages.mofile import read_mo

from explorer.messages import FromWorker, UsedUp, frames
from explorer.text.languages import FOLDER
from explorer.text.text import NOTHING, Text, choose_language, joined, say, sentences, verbatim
from explorer.worker.errors import explanations
from resources.translations import worker

FILES = sorted(FOLDER.glob("worker_*.po"))
each_file = pytest.mark.parametrize("translation", FILES, ids=lambda path: path.stem)


def texts(translation: Path) -> dict[str, str]:
    """Return the translations in a file by the sentences in the code."""
    return {each.id: each.string for each in worker.catalogue(translation) if each.id}


@pytest.mark.rest
@each_file
def test_a_catalogue_holds_the_sentences_of_the_code(translation: Path) -> None:
    asked, known = {each.id for each in worker.collected() if each.id}, set(texts(translation))
    assert len(asked) > 300
    missing, obsolete = sorted(asked - known), sorted(known - asked)
    assert (missing, obsolete) == ([], []), "run: python -m resources.translations"


@each_file
def test_every_sentence_has_a_finished_translation(translation: Path) -> None:
    assert worker.missing(translation) == []


@each_file
def test_translations_name_the_same_parts(translation: Path) -> None:
    for template, text in texts(translation).items():
        assert parts(template) == parts(text), template


@each_file
def test_a_compiled_catalogue_says_what_its_source_says(translation: Path) -> None:
    with translation.with_suffix(".mo").open("rb") as file:
        compiled = {each.id: each.string for each in read_mo(file) if each.id}
    assert sorted(compiled.items() ^ texts(translation).items()) == [], "run: python -m resources.translations"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('say("{n} keys", n=3)', ["{n} keys"]),
        ('say("one" if n == "1" else "many")', ["one", "many"]),
        ('TEXT = (\n    "in "\n    "two lines"\n)\nsay(TEXT)', ["in two lines"]),
        ('WORDS = {"jit": "", "vmap": "for all"}\nsay(WORDS[name])', ["for all"]),
        ('WORDS = {"vmap": "for all"}\nsay(WORDS.get(name, "for {name}"), name=name)', ["for all", "for {name}"]),
        ('COSTS = ((patch, say("Missed.")),)', ["Missed."]),
        ('say("{some} and {last}", some=", ".join(rest), last=say("one more"))', ["{some} and {last}", "one more"]),
        ('print("nothing")', []),
    ],
)
def test_sentences_are_found_in_the_code(code: str, found: list[str]) -> None:
    assert [text for _, text in worker.sentences(code, "x.py")] == found


def test_a_sentence_that_cannot_be_found_in_the_code_is_reported() -> None:
    with pytest.raises(ValueError, match=r"x\.py:2: no text in say\(words\)"):
        list(worker.sentences("def f(words):\n    return say(words)", "x.py"))


@pytest.mark.rest
def test_a_sentence_that_changed_keeps_its_translation_until_it_is_reviewed(tmp_path: Path) -> None:
    translation = tmp_path / "worker_ko.po"
    before = FILES[0].read_text(encoding="utf-8")
    translation.write_text(before.replace("The program asked to quit.", "The program wants to quit."), encoding="utf-8")
    worker.read_code(translation)
    worker.compile_file(translation, translation.with_suffix(".mo"))
    assert worker.missing(translation) == ["The program asked to quit."]
    assert texts(translation)["The program asked to quit."] == "프로그램이 끝내기를 요청했습니다."
    with translation.with_suffix(".mo").open("rb") as file:
        assert "The program asked to quit." not in {each.id for each in read_mo(file)}


# -- texts ------------------------------------------------------------------------------------


def test_a_text_is_rendered_in_english_until_a_window_chooses_its_language() -> None:
    text = say("{count} keys", count=3)
    assert str(text) == "3 keys"
    choose_language("ko")
    assert (str(text), f"{text}") == ("key 3개", "key 3개")
    choose_language("en")
    assert (str(text), f"{text}") == ("3 keys", "3 keys")
    assert text.in_language("ko") == "key 3개", "whatever the language of the process is"


def test_a_text_within_a_text_is_in_the_same_language_and_its_particle_fits_it() -> None:
    keys = say("{count} keys", count=3)
    text = say("{title} without any values", title=keys)
    assert text.in_language("en") == "3 keys without any values"
    assert text.in_language("ko").startswith("key 3개")
    shared = "{sizes} examples share {keys}"
    assert say(shared, sizes=2, keys=say("one key")).in_language("ko") == "샘플 2개가 key 하나를 공유합니다"
    assert (
        say(shared, sizes=2, keys=say("{count} keys", count=3)).in_language("ko") == "샘플 2개가 key 3개를 공유합니다"
    )


def test_texts_are_equal_by_what_they_say_and_not_by_how_it_reads() -> None:
    one, two = say("{count} keys", count=3), say("{count} keys", count=4)
    assert one == say("{count} keys", count=3)
    assert len({one, two, say("{count} keys", count=3)}) == 2
    assert one != verbatim("3 keys")


def test_parts_of_a_text_are_joined_and_what_is_empty_is_left_out() -> None:
    keys, key = say("{count} keys", count=3), say("one key")
    assert str(joined(say(" and "), (keys, NOTHING, key, ""))) == "3 keys and one key"
    assert joined(say(" and "), (keys, key)).in_language("ko") == "key 3개, key 하나"
    assert joined(", ", (keys,)) == keys
    assert (bool(joined(", ", ())), bool(NOTHING), bool(keys)) == (False, False, True)
    assert str(sentences(verbatim("One."), verbatim("Two."))) == "One. Two."


def test_what_is_filled_in_is_a_number_or_as_a_template_writes_it() -> None:
    text = say("{n:,} {x:.2f} {yes} {huge} {path}", n=1000, x=1.5, yes=True, huge=10**30, path=Path("a"))
    assert str(text) == f"1,000 1.50 True {10**30} a"


def test_braces_in_what_is_filled_in_stay_as_they_are() -> None:
    assert str(verbatim("{name} {")) == "{name} {"
    assert str(sentences(verbatim("{0}"), "{x:,}")) == "{0} {x:,}"


def test_a_fact_is_found_in_a_text_by_its_name_also_within_another_text() -> None:
    text = sentences(say("{count} keys", count=3), say("one key", mode="drop"))
    assert (text.param("count"), text.param("mode"), text.param("other")) == (3, "drop", None)


def test_a_text_crosses_the_pipe_as_it_is() -> None:
    text = say("{names} {share} {count}", names=joined(", ", (say("one key"), "a")), share=0.5, count=2)
    sent: FromWorker = UsedUp(1, text)
    assert frames.decode_from_worker(frames.encode(sent)[frames.HEADER.size :]) == sent
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(text), type=Text) == text


def test_an_explanation_of_an_error_is_in_the_language_that_is_read() -> None:
    message = "Attempted boolean conversion of traced array with shape bool[]."
    explained = explanations.explanation(("TracerBoolConversionError",), message, ["x"])
    korean = explained.in_language("ko")
    assert "depends on the argument x" in str(explained)
    assert "인자 x에 달려" in korean
    assert "{" not in korean
    assert "Content-Type" not in korean


def test_a_sentence_that_has_no_translation_is_in_english() -> None:
    assert say("{n} of a kind", n=3).in_language("ko") == "3 of a kind"


def test_a_language_without_a_catalogue_is_english() -> None:
    assert say("{count} keys", count=3).in_language("tlh") == "3 keys"
    assert str(NOTHING) == NOTHING.in_language("ko") == ""


def parts(text: str) -> set[str]:
    """Return the names in braces; raises ValueError where they cannot be filled in."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
