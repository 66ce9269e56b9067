"""Every check finds exactly what its files and its page say: ``tests/checks/KIND/bad_*.py`` and so on.

A line of such a program names its expected finding: ``# bug: key-reuse``. The first fix offered for ``bad_x.py`` turns
it into ``fixed_x.py``, the second one into ``fixed_x_2.py``. The quick watch of traces alone is tested with the
programs in ``KIND/while_tracing``: see ``tests/worker/checks/test_tracing.py``. Many short programs may
stand in one file: each function in ``KIND/broken_programs.py`` has a mark, and none in ``KIND/sound_programs.py``.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.diagnostics.check import PARTS, Check
from explorer.diagnostics.page import document
from explorer.diagnostics.registry import checks
from explorer.library import library
from explorer.messages import Fix, Report
from explorer.worker.checks.watches import Watches
from explorer.worker.errors.code_tree import with_edits
from explorer.worker.process.settings_of_libraries import ProcessSettings
from tests.worker.analysed import snapshot
from tests.worker.checks import value_cases

HERE = Path(__file__).parent
DECLARED = '# scenario.toml: shared = "on purpose"\n'
MARK = re.compile(r"# ((?:bug|warning|note): [\w-]+)")
BEHIND = re.compile(r"  " + MARK.pattern)
LESSONS = {scenario.id for scenario in library.everything() if scenario.origin == "built-in"}
each_check = pytest.mark.parametrize("check", checks().values(), ids=list(checks()))


def programs(check: Check, name: str) -> list[Path]:
    return sorted((HERE / check.id.replace("-", "_")).glob(f"{name}_*.py"))


def each_program(name: str) -> pytest.MarkDecorator:
    """Parametrize with each file of every check whose name begins with `name`, and its check."""
    found = [(check, path) for check in checks().values() for path in programs(check, name)]
    return pytest.mark.parametrize(
        ("check", "path"), found, ids=[f"{check.id} {path.stem.partition('_')[2]}" for check, path in found]
    )


@functools.cache
def judged(source: str, *, fixes: bool = False) -> Report:
    """Return the report of the last function of `source`, and restore changed settings."""
    variant = re.findall(r"^def (\w+)\(\):", source, re.MULTILINE)[-1]
    declared = (variant,) if DECLARED in source else ()
    asked = {"traces": True, "value_checks": True, "finding_fixes": fixes, "shared_on_purpose": declared}
    before = ProcessSettings.now()
    try:
        report = snapshot(source, variants=(variant,), **asked).report(variant)
    finally:
        before.restore()
    assert report is not None
    assert report.failure is None, report.failure
    return report


def findings_of(source: str, *, fixes: bool = False) -> set[tuple[int, str]]:
    """Return the line, and the level and kind, of each finding; line 0 where it has none."""
    return {(each.line or 0, f"{each.level}: {each.kind}") for each in judged(source, fixes=fixes).findings or ()}


def expected(source: str) -> set[tuple[int, str]]:
    lines = enumerate(source.split("\n"), 1)
    return {(number, each) for number, line in lines for each in MARK.findall(line)}


def offered(check: Check, source: str) -> list[Fix]:
    """Return the fixes of the first finding of `check` in `source`."""
    found = [each for each in judged(source, fixes=True).findings or () if each.kind == check.id]
    return list(found[0].fixes)


def fixed(bad: Path) -> list[Path]:
    """Return the programs that the fixes make of `bad`, in their order."""
    name = bad.stem.replace("bad_", "fixed_", 1)
    return [each for each in (bad.with_name(f"{name}.py"), bad.with_name(f"{name}_2.py")) if each.exists()]


@each_check
def test_a_check_has_programs_a_page_and_lessons(check: Check) -> None:
    assert programs(check, "bad")
    assert programs(check, "good")
    assert check.part in PARTS
    assert set(check.lessons.values()) <= LESSONS


@each_program("bad")
def test_what_is_bad_is_found_at_its_line(check: Check, path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    marks = expected(source) or {(0, f"{check.level}: {check.id}")}
    assert findings_of(source, fixes=True) == marks
    assert any(mark.endswith(check.id) for _, mark in marks)


@each_program("good")
def test_what_is_good_is_found_to_be_good(check: Check, path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert findings_of(source) == expected(source)
    assert "# bug:" not in source, check.id


@each_program("bad")
def test_each_fix_makes_a_fixed_program(check: Check, path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    made = [BEHIND.sub("", with_edits(source, fix.edits)) for fix in offered(check, source)]
    assert [each.read_text(encoding="utf-8") for each in fixed(path)] == made
    for each in made:
        assert findings_of(each) == set()


def short_programs(sort: str) -> list[tuple[Check, Callable[[], Any]]]:
    """Return the functions without parameters in the file of many programs of each check, and their checks."""
    found = []
    for check in checks().values():
        folder = check.id.replace("-", "_")
        if (HERE / folder / f"{sort}_programs.py").exists():
            module = importlib.import_module(f"tests.checks.{folder}.{sort}_programs")
            found += [
                (check, each)
                for each in vars(module).values()
                if inspect.isfunction(each)
                and each.__module__ == module.__name__
                and not inspect.signature(each).parameters
            ]
    return found


def each_short_program(sort: str) -> pytest.MarkDecorator:
    found = short_programs(sort)
    return pytest.mark.parametrize(
        ("check", "program"), found, ids=[f"{check.id} {program.__name__}" for check, program in found]
    )


def reported_while_running(check: Check, program: Callable[[], Any]) -> set[tuple[int, str]]:
    """Return line, level and kind of what those who watch for `check` say of a call of `program`."""
    if check.part == "values":
        found = value_cases.found(program)
    else:
        watches = Watches(lambda name: name == program.__code__.co_filename)
        with watches.watching():
            program()
        assert watches.error is None, watches.error
        found = list(watches.findings())
    return {(each.line or 0, f"{each.level}: {each.kind}") for each in found}


@each_short_program("broken")
def test_each_short_broken_program_is_reported_at_its_line(check: Check, program: Callable[[], Any]) -> None:
    lines, first = inspect.getsourcelines(program)
    marks = {(number, each) for number, line in enumerate(lines, first) for each in MARK.findall(line)}
    assert marks
    assert reported_while_running(check, program) == marks


@each_short_program("sound")
def test_nothing_is_reported_in_a_short_sound_program(check: Check, program: Callable[[], Any]) -> None:
    assert reported_while_running(check, program) == set()


@each_check
def test_the_programs_of_a_page_are_what_it_says(check: Check) -> None:
    assert f"{check.level}: {check.id}" in {mark for _, mark in findings_of(check.bad)}
    assert not any(mark.endswith(check.id) for _, mark in findings_of(check.good))


def test_the_document_is_what_the_checks_say() -> None:
    written = HERE.parent.parent / "docs" / "checks.md"
    assert written.read_text(encoding="utf-8") == document(checks().values()), (
        "write it anew: jax-explorer explain --all > docs/checks.md"
    )
