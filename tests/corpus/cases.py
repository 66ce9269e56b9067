"""The corpus: a function a case, in ``tests/corpus/KIND.py`` or, where there are many, in ``tests/corpus/KIND/*.py``.

What stands above the first ``# --`` belongs to all cases of a file. Below it each function without parameters whose
name has no leading underscore is a case, as is one that says ``# given 1.0, 2`` of each of its calls; and what stands
between two cases belongs to the second one. The program of a case is the file without the others, whose lines
are empty.

A comment on a line names what is reported there: ``# bug: nan``, or ``warning`` or ``note``; several after a comma. On
the line of its ``def`` it names a finding without a line, or in a function above the cases. A case without such a mark
is silent. ``repaired_x`` is what the authors of ``x`` made of it; what stands above ``x`` is part of it, too, or is
defined anew. Other comments say more:

- ``says "makes NaN", "log(-2)"``, behind a mark or on a line of its own: words of the message, each number of a line L;
- ``# at "random.normal(key)", "random.split(key)"``: the code of each place that the bug shows;
- ``# made "random.key(0)"`` and ``# passed "noise(key)"``: where the keys of the bug are made, and are passed on;
- ``# shared along axis 0 by 4 examples, 1 key``: the batch of shared noise, and how many distinct keys it has;
- ``# fixed "x = x.at[0].set(1)"``: the lines that a fix writes, for each fix in their order, in several comments too.
  It takes away the reported line, or as many as it writes, or ``# in place of "def f(x):"``; nothing is reported then;
- ``# no fix``: none is offered;
- ``# from OWNER/NAME, issue 5``: it was found and repaired there;
- ``# in full``: it is judged as in the window, also where it has no fix;
- ``# takes 2 devices``: with fewer it is judged in a worker;
- ``# restates test_split``: JAX's own tests that ask the same;
- ``# scenario.toml: shared = "on purpose"``: it is declared so.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.diagnostics.registry import checks
from explorer.messages import Finding
from explorer.worker.code import user_code
from explorer.worker.process.process_state import ProcessSettings
from tests.worker.analysed import snapshot
from tests.worker.checks import watched
from tests.worker.recorded import recorded

HERE = Path(__file__).parent
MARK = re.compile(r"(?:bug|warning|note): [\w-]+")
COMMENT = re.compile(rf"# ({MARK.pattern}(?:, {MARK.pattern})*)(?: says .*)?$")
GIVEN = re.compile(r"# given (.*)$", re.MULTILINE)
FROM = re.compile(r"# from ([\w-]+/[\w-]+, (?:issue|pull request) [1-9]\d*)$", re.MULTILINE)
SHARED = re.compile(r"# shared along axis (\d+) by (\d+) examples, (\d+) keys?$", re.MULTILINE)
DEVICES = re.compile(r"# takes (\d+) devices$", re.MULTILINE)
DECLARED = '# scenario.toml: shared = "on purpose"\n'

Marks = set[tuple[int, str]]
"""Line, and level and kind, of each finding; line 0 where it has none."""


@dataclass(frozen=True)
class Case:
    """A small program, and what is written in it about its findings."""

    kind: str
    path: Path
    name: str
    source: str
    """The program: the file, with empty lines in place of the other cases."""
    own: str
    """The lines of its own."""
    first: int
    """The first of these."""
    line: int
    """The line of its ``def``."""

    def __str__(self) -> str:
        return f"{self.path.relative_to(HERE).with_suffix('').as_posix()} {self.name}"

    @functools.cached_property
    def marks(self) -> Marks:
        lines = enumerate(self.own.split("\n"), self.first)
        return {(0 if number == self.line else number, mark) for number, line in lines for mark in marks_in(line)}

    @property
    def is_broken(self) -> bool:
        """Whether its kind is reported, and more than a note."""
        marks = {mark for _, mark in self.marks}
        return any(mark.endswith(self.kind) for mark in marks) and any(not mark.startswith("note") for mark in marks)

    @property
    def entry(self) -> str:
        """The name of the function that runs it."""
        return "called" if GIVEN.search(self.own) else self.name

    @property
    def says(self) -> tuple[str, ...]:
        return self._quoted("says")

    @property
    def at(self) -> tuple[str, ...]:
        return self._quoted("at")

    @property
    def made(self) -> tuple[str, ...]:
        return self._quoted("made")

    @property
    def passed(self) -> tuple[str, ...]:
        return self._quoted("passed")

    @property
    def shared(self) -> tuple[int, ...] | None:
        """Along which axis how many examples share how many distinct keys, where that is written."""
        found = SHARED.search(self.own)
        return tuple(map(int, found.groups())) if found else None

    @property
    def devices(self) -> int:
        found = DEVICES.search(self.own)
        return int(found[1]) if found else 1

    @property
    def fixed(self) -> tuple[tuple[str, ...], ...]:
        """The lines that each fix writes, in the order of the fixes."""
        found = re.findall(r"^ *# fixed (.*)$", re.sub(r",\n *# +", ", ", self.own), re.MULTILINE)
        return tuple(tuple(line for line in ast.literal_eval(f"({each},)") if line) for each in found)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The lines that the fixes take away, where it is not the reported one."""
        return self._quoted("in place of")

    @property
    def has_known_fixes(self) -> bool:
        return bool(self.fixed) or "# no fix\n" in self.own

    @property
    def is_judged_in_full(self) -> bool:
        is_real = bool(self.origin) or self.name.startswith("repaired_")
        return self.has_known_fixes or is_real or "# in full\n" in self.own

    @property
    def origin(self) -> str:
        """Where it was found, if that is written."""
        found = FROM.search(self.own)
        return found[1] if found else ""

    @property
    def is_declared(self) -> bool:
        return DECLARED in self.own

    def function(self) -> Callable[[], Any]:
        """Return the program as a function of a module of its own."""
        return user_code.load(self.source, "<case>").function(self.entry, ())

    def _quoted(self, word: str) -> tuple[str, ...]:
        found = re.findall(rf"^.*# (?:.* )?{word} (\W.*)$", self.own, re.MULTILINE)
        return tuple(words for each in found for words in ast.literal_eval(f"({each},)"))


def marks_in(line: str) -> list[str]:
    """Return the marks in the comment of `line`, such as ``bug: nan``."""
    comment = COMMENT.search(line)
    return MARK.findall(comment[1]) if comment else []


def cases(kind: str) -> tuple[Case, ...]:
    """Return the cases of `kind` in the order in which they are written."""
    stem = kind.replace("-", "_")
    files = [HERE / f"{stem}.py", *sorted((HERE / stem).glob("[a-z]*.py"))]
    return tuple(case for path in files if path.exists() for case in _cases_of(path))


def case(kind: str, name: str) -> Case:
    """Return the case of `kind` with this name."""
    return next(each for each in cases(kind) if each.name == name)


@functools.cache
def judged(case: Case) -> tuple[Finding, ...]:
    """Return the findings in `case`, and restore what it sets in JAX.

    Where its fixes are known, it is judged as in the window, with them; else only in the part that its kind is of.
    """
    before = ProcessSettings.now()
    try:
        if case.is_judged_in_full:
            return _in_full(case)
        part = checks()[case.kind].part
        if part == "keys":
            return recorded(case.function(), shared_on_purpose=case.is_declared).findings
        if part == "values":
            return tuple(watched.found(case.function()))
        return tuple(watched.found_while_tracing(case.source, case.entry))
    finally:
        before.restore()


def _in_full(case: Case) -> tuple[Finding, ...]:
    declared = (case.entry,) if case.is_declared else ()
    asked = {"traces": True, "value_checks": True, "finding_fixes": case.has_known_fixes, "shared_on_purpose": declared}
    report = snapshot(case.source, variants=(case.entry,), **asked).report(case.entry)
    assert report is not None
    assert report.failure is None, report.failure
    return tuple(report.findings or ())


def reported(case: Case) -> Marks:
    """Return what is reported in `case`, in the terms of its marks."""
    return as_marks(case, judged(case))


def as_marks(case: Case, findings: Iterable[Finding]) -> Marks:
    return {(_line_in(case, each), f"{each.level}: {each.kind}") for each in findings}


def _line_in(case: Case, finding: Finding) -> int:
    return finding.line if finding.line is not None and finding.line >= case.first else 0


@functools.cache
def _cases_of(path: Path) -> tuple[Case, ...]:
    return tuple(_read(path))


def _read(path: Path) -> Iterator[Case]:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    head = next(number for number, line in enumerate(lines) if line.startswith("# --"))
    kind = path.relative_to(HERE).parts[0].removesuffix(".py").replace("_", "-")
    end = head
    above: dict[str, tuple[int, int]] = {}
    for node in ast.parse(text).body:
        if node.lineno <= head or not _is_case(node, lines):
            continue
        assert isinstance(node, ast.FunctionDef)
        own = lines[end : node.end_lineno]
        start, to = above.get(node.name.removeprefix("repaired_"), (head, head))
        parts = (*lines[:head], *[""] * (start - head), *lines[start:to], *[""] * (end - to), *own, "")
        source = "\n".join(parts)
        above[node.name] = end, node.lineno - 1
        if given := GIVEN.findall("\n".join(own)):
            calls = ", ".join(f"{node.name}({each})" for each in given)
            source += f"\ndef called():\n    return {calls}\n"
        yield Case(kind, path, node.name, source, "\n".join([*own, ""]), end + 1, node.lineno)
        end = node.end_lineno or end


def _is_case(node: ast.stmt, lines: list[str]) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
        return False
    return not ast.unparse(node.args) or any(GIVEN.search(line) for line in lines[node.lineno : node.end_lineno])
