"""Scenarios are found in every location, their problems are sentences, and code files survive."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from explorer.library import library, paths
from explorer.library.folder import from_folder
from explorer.scenario.scenario import CHAPTERS, Provenance, Scenario, Step
from explorer.text.languages import known_languages

SHEET = """
title = { en = "Two rows", ko = "두 행" }
chapter = 2
order = 3
compare = "fixed"
[[variants]]
name = "broken"
title = { en = "Broken" }
expects = ["shared-noise"]
[[variants]]
name = "fixed"
title = { en = "Mended" }
[timing]
parameter = "batch"
values = [8, 64]
transforms = ["jit"]
variants = ["fixed"]
"""
STORY = """# Two rows

Words before the first step are for readers of the file.

## Look
First **words**.

```python
## not a heading
```

## Look again
Last words.
"""


def make_folder(parent: Path, name: str = "two_rows", **files: str) -> Path:
    """Write a scenario folder whose files are given as code_py, scenario_toml, story_en_md."""
    folder = parent / name
    folder.mkdir(parents=True)
    for file, text in {"code_py": "def broken(): ...\n", "scenario_toml": SHEET, **files}.items():
        stem, _, suffix = file.rpartition("_")
        (folder / f"{stem.replace('_', '.')}.{suffix}").write_text(text, encoding="utf-8")
    return folder


def mine(name: str) -> Scenario:
    """Return the scenario `name` out of everything there is."""
    return next(scenario for scenario in library.everything() if scenario.id == name)


# -- folders ----------------------------------------------------------------------------------


def test_a_folder_gives_everything_that_its_files_say() -> None:
    make_folder(paths.my_scenarios_folder(), story_en_md=STORY)
    scenario = mine("two_rows")
    assert (scenario.origin, scenario.chapter, scenario.order, scenario.problem) == ("mine", 2, 3, "")
    assert scenario.title.text("ko") == "두 행"
    assert scenario.source == "def broken(): ...\n"
    assert scenario.compare == "fixed"
    assert [(plan.name, plan.expects) for plan in scenario.variants] == [("broken", ("shared-noise",)), ("fixed", ())]
    timing = scenario.timing
    assert (timing.parameter, timing.values, timing.transforms) == ("batch", (8, 64), ("jit",))
    assert timing.variants == ("fixed",)
    failing = SHEET.replace('expects = ["shared-noise"]', 'error = "ValueError"').replace('variants = ["fixed"]', "")
    make_folder(paths.my_scenarios_folder(), "one_fails", scenario_toml=failing)
    assert mine("one_fails").timing.variants == ("fixed",)
    first, second = mine("two_rows").story("en")
    assert first == Step("Look", "First **words**.\n\n```python\n## not a heading\n```")
    assert second == Step("Look again", "Last words.")
    assert mine("two_rows").story("ko") == (first, second)


def test_a_folder_is_read_again_only_when_one_of_its_files_has_changed() -> None:
    folder = make_folder(paths.my_scenarios_folder(), story_en_md=STORY)
    before = from_folder(folder, "mine")
    assert from_folder(folder, "mine") is before
    (folder / "code.py").write_text("def other(): ...\n", encoding="utf-8")
    (folder / "story.en.md").write_text("## Another\nstory\n", encoding="utf-8")
    (folder / "story.ko.md").write_text("## 둘\n", encoding="utf-8")
    after = mine("two_rows")
    assert after.source == "def other(): ...\n"
    assert [step.title for step in (*after.story("en"), *after.story("ko"))] == ["Another", "둘"]
    (folder / "scenario.toml").unlink()
    assert mine("two_rows").variants == ()


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the folders that are asked for from now on."""
    names: list[str] = []

    def noted(folder: Path, origin: Provenance) -> Scenario:
        names.append(folder.name)
        return from_folder(folder, origin)

    monkeypatch.setattr(library, "from_folder", noted)
    return names


def test_opening_a_built_in_scenario_reads_no_other(read: list[str]) -> None:
    library.open_target("one_key_for_the_batch")
    assert read == ["one_key_for_the_batch"]


def test_reading_ahead_reads_one_built_in_scenario_after_the_other(read: list[str]) -> None:
    for count, _ in enumerate(library.reading_ahead(), 1):
        assert len(read) <= count
    assert sorted(read) == sorted(scenario.id for scenario in library.built_in())


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        ("title = ", "is not valid TOML"),
        ("chapter = 1", "`title` is missing."),
        ('title = { en = "A" }\nchapters = 1', "Line 2: there is no `chapters`; did you mean `chapter`?"),
        ('title = "A"', 'Line 1: `title` must be a table, such as { en = "..." }.'),
        ('title = { de = "A" }', "`en` is missing in `title`."),
        ('title = { en = "A", german = "B" }', "there is no `german` in `title`."),
        ('title = { en = "A", de = 1 }', "`de` must be a text."),
        ('title = { en = "A" }\n[[step]]\n[[steps]]', "Line 2: there is no table `step`; did you mean `steps`?"),
        (
            'title = { en = "A" }\n[[steps]]\npane = "nois"\n[[steps]]\nlens = "vmp"\nlooks = 1',
            "Line 3: `pane` cannot be 'nois': write one of keys, noise, program, timing, code. Line 5: `lens`",
        ),
        (
            'title = { en = "A" }\n[[steps]]\nlens = "vmap"\nlooks = 1',
            "Line 4: there is no `looks` in `steps`; did you",
        ),
        ('title = { en = "A" }\nchapter = 9', "chapters count from 1 to 7"),
        ('title = { en = "A" }\nrequires = ["a package"]', "'a package', which is not the name"),
        ('title = { en = "A" }\ndevices = 100000', "made for 100000 devices; there can be 1 to 64"),
        ('title = { en = "A" }\ncompare = "b"', "scenario.toml: there is no variant `b`."),
        ('title = { en = "A" }\n[timing]\nvalues = [1]', "of which parameter"),
        ('title = { en = "A" }\n[timing]\nvariants = ["c"]', "there is no variant `c`."),
        (
            'title = { en = "A" }\n' + '[[variants]]\nname = "v"\ntitle = { en = "V" }\n' * 2,
            "names the variant v twice",
        ),
    ],
)
def test_a_broken_sheet_is_a_problem_and_the_code_is_there_all_the_same(sheet: str, words: str) -> None:
    make_folder(paths.my_scenarios_folder(), scenario_toml=sheet)
    scenario = library.open_target("two_rows")
    assert "scenario.toml" in scenario.problem
    assert words in scenario.problem
    assert scenario.source == "def broken(): ...\n"


def test_a_story_without_a_step_is_a_problem() -> None:
    make_folder(paths.my_scenarios_folder(), story_en_md="Just words.")
    assert mine("two_rows").problem == "story.en.md has no step: each begins with a ## heading."


def test_a_note_without_an_end_is_a_problem_and_stays_hidden() -> None:
    make_folder(paths.my_scenarios_folder(), story_en_md="## One\nSee.\n<!-- note: Ask first.\n\n## Two\n")
    lesson = mine("two_rows")
    assert lesson.problem == "story.en.md, line 3: this note has no end. Write --> after it."
    assert [step.text for step in lesson.story("en")] == ["See."]


def test_a_folder_with_code_that_cannot_be_read_is_listed_with_its_problem_and_cannot_be_opened() -> None:
    folder = make_folder(paths.my_scenarios_folder())
    (folder / "code.py").write_bytes(b"x = '\xff'")
    assert "not UTF-8" in mine("two_rows").problem
    with pytest.raises(library.UnreadableCode, match="not UTF-8"):
        library.open_target("two_rows")


def test_built_in_scenarios_are_in_order_in_every_language_and_without_problems() -> None:
    found = library.built_in()
    chapters = [each.chapter for each in found]
    assert [*dict.fromkeys(chapters)] == [*CHAPTERS]
    assert [(chapters.index(each.chapter), each.order) for each in found] == sorted(
        (chapters.index(each.chapter), each.order) for each in found
    )
    assert {"one_key_for_the_batch", "selu_eager_or_jit", "convolve_a_batch"} <= {each.id for each in found}
    assert [each.problem for each in found if each.problem] == []
    assert {each.origin for each in found} == {"built-in"}
    assert {language for each in found for language in each.stories} == set(known_languages())


def test_the_id_of_a_lesson_that_is_gone_opens_the_one_that_replaces_it() -> None:
    found = library.built_in()
    gone = {name: each.id for each in found for name in each.replaces}
    assert gone["big_draw_or_many"] == "one_key_for_the_batch"
    assert not {*gone} & {each.id for each in found}
    assert {name: library.open_target(name).id for name in gone} == gone


# -- where they lie ---------------------------------------------------------------------------


def test_bare_files_in_the_users_folder_are_listed_without_their_suffix() -> None:
    paths.my_scenarios_folder().mkdir(parents=True)
    (paths.my_scenarios_folder() / "trial.py").write_text("x = 1\n")
    (paths.my_scenarios_folder() / "notes.txt").write_text("no code")
    assert [each.id for each in library.everything() if each.origin == "mine"] == ["trial"]
    assert mine("trial").title.text("en") == "trial.py"


def test_an_id_that_is_taken_is_replaced_by_the_path() -> None:
    folder = make_folder(paths.my_scenarios_folder(), "one_key_for_the_batch")
    ids = [each.id for each in library.everything() if each.origin == "mine"]
    assert ids == [str(folder / "code.py")]
    assert library.open_target("one_key_for_the_batch").origin == "built-in"
    assert library.open_target(ids[0]).title.text("en") == "Two rows"


@pytest.mark.parametrize("value", ["lessons", "lessons.week1", "lessons.week1.more"])
def test_packages_add_scenarios_without_being_imported(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "lessons"
    inner = package / "week1"
    inner.mkdir(parents=True)
    for file in (package / "__init__.py", inner / "__init__.py", inner / "more.py"):
        file.write_text("raise RuntimeError('imported')")
    make_folder(package if value == "lessons" else inner)
    monkeypatch.syspath_prepend(package.parent)
    announce(monkeypatch, value)
    assert mine("two_rows").origin == "package"


def test_a_package_that_announces_nothing_real_is_a_problem_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    announce(monkeypatch, "no_such_package.scenarios")
    assert mine("course").problem.startswith("The package announces scenarios in no_such_package.scenarios")
    with pytest.raises(library.UnreadableCode, match="no such module"):
        library.open_target("course")


def announce(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Let a package announce scenarios in module `value`."""
    point = importlib.metadata.EntryPoint("course", value, library.ENTRY_POINTS)
    # What it keeps would outlive the test.
    monkeypatch.setattr(library, "_announced", library._announced.__wrapped__)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point] if group == point.group else [])


# -- opening ----------------------------------------------------------------------------------


def test_a_file_anywhere_is_opened_under_its_path_and_a_lesson_by_its_folder_or_its_code(tmp_path: Path) -> None:
    file = tmp_path / "trial.py"
    file.write_text("x = 1\n")
    scenario = library.open_target(str(file))
    assert (scenario.id, scenario.origin, scenario.path) == (str(file), "file", str(file))
    assert (scenario.title.text("en"), scenario.source, scenario.story("en")) == ("trial.py", "x = 1\n", ())
    folder = make_folder(tmp_path)
    for target in (folder, folder / "code.py"):
        scenario = library.open_target(str(target))
        assert (scenario.origin, scenario.title.text("en")) == ("file", "Two rows")


def test_an_id_or_a_path_of_a_known_scenario_gives_that_scenario() -> None:
    known = next(each for each in library.built_in() if each.id == "one_key_for_the_batch")
    for target in (known.id, known.path, str(Path(known.path).parent)):
        assert library.open_target(target) == known


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("one_key_for_the_bach", "Did you mean one_key_for_the_batch"),
        ("zzz", "There is no scenario or file named zzz. `jax-explorer list` shows all scenarios."),
        ("trail.py", "There is no file trail.py. Near it there is trial.py."),
        ("nowhere/at_all.py", "There is no file nowhere/at_all.py. Check the path"),
        ("empty", "empty is a folder without a code.py"),
        ("x" * 5000, "There is no scenario or file"),
        ("a\0b", "There is no scenario or file"),
        ("", "There is no scenario or file"),
    ],
)
def test_an_unknown_target_is_a_sentence(
    target: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trial.py").write_text("")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(library.UnknownTarget) as caught:
        library.open_target(target)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("bad.py", b"x = '\xe9'", "is not UTF-8 text (byte 6)"),
        ("zero.py", b"x = 1\0", "contains zero bytes"),
        ("notes.txt", b"words", "does not end in .py"),
    ],
)
def test_code_that_cannot_be_read_is_a_sentence(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(library.UnreadableCode) as caught:
        library.open_target(str(tmp_path / name))
    assert words in str(caught.value)


def test_a_folder_a_pipe_and_what_is_gone_are_no_code(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    kind = "not a file that holds code"
    for name, words in (("pipe.py", kind), ("folder.py", kind), ("gone.py", "No such file")):
        with pytest.raises(library.UnreadableCode, match=words):
            library.read_code(tmp_path / name)


# -- code files -------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"a\nb\n", b"a\r\nb\r\n", b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\r\nb\r\n"])
def test_line_ends_and_byte_order_mark_survive_reading_and_writing(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_bytes(content)
    assert library.read_code(file) == "a\nb\n"
    library.write_code(file, "a\nb\n")
    assert file.read_bytes() == content


def test_a_new_file_is_written_as_plain_utf_8_and_a_link_where_it_points_to(tmp_path: Path) -> None:
    library.write_code(tmp_path / "new.py", "x = '열쇠'\n")
    assert (tmp_path / "new.py").read_bytes() == "x = '열쇠'\n".encode()
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_text("old\n")
    link.symlink_to(real)
    library.write_code(link, "new\n")
    assert link.is_symlink()
    assert real.read_text() == "new\n"


def test_what_is_too_large_for_an_editor_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "large.py"
    file.write_text("x = 1\n" * 2_000_000)
    with pytest.raises(library.UnreadableCode, match=r"has 12\.0 MB; code of up to 10 MB is opened\."):
        library.open_target(str(file))
    lines, many = f"a\n{'b' * 50_000}\n", "x = 1\n" * 100_000
    for source, words in (
        (f"{lines}{'c' * 50_000}\nd\n", ""),
        (f"{lines}{'c' * 50_001}\nd\n", "Line 3 of"),
        (many + f"{'b' * 3000}\n" * 100, ""),
        (many + f"{'b' * 4000}\n" * 100, r"From line 99991 on, .* 200,000 characters"),
    ):
        file.write_text(source)
        with pytest.raises(library.UnreadableCode, match=words) if words else nullcontext():
            library.open_target(str(file))


# -- notes for the presenter -------------------------------------------------------------------


WITH_NOTES = """# A story

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
    one, two = steps(tmp_path, WITH_NOTES)
    assert (one.title, one.text, one.reveal) == ("One", "Words go on.", "Told.")
    assert one.note == "at the title\n\nin a line\n\nOver\nlines, with\n---\nand\n## no heading."
    assert one.reveal_note == "after"
    assert two.title == "Two"
    assert "this is code" in two.text
    assert not two.note
    (one,) = steps(tmp_path, "## One\nWords.\n<!-- note: -->\n")
    assert (one.text, one.note) == ("Words.", "")


@pytest.mark.parametrize("end", ["", "--", "\n## Two\nWords.\n"])
def test_a_note_without_an_end_is_not_shown(tmp_path: Path, end: str) -> None:
    (one,) = steps(tmp_path, f"## One\nWords.\n<!-- note: secret{end}")
    assert one.text == "Words."
    assert one.note.startswith("secret")
