"""Problems in the code as the editor marks them: failures and findings with their positions."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtGui import QTextCursor, QTextDocument

from explorer.diagnostics.registry import checks
from explorer.messages import LEVELS, Failure, Fix, Focus, Level, Snapshot, Span, unmarked
from explorer.text.text import Text, say
from views.text.document_edits import utf16_length


@dataclass(frozen=True)
class EditorProblem:
    """One failure or finding. Its positions follow the edits of the text."""

    level: Level
    sentence: str
    more: str
    places: tuple[QTextCursor, ...]
    drawing: str = ""
    original: str = ""
    link: str = ""
    lesson: str = ""
    """The id of the lesson that explains it."""
    fixes: tuple[Fix, ...] = ()
    is_finding: bool = False
    name: str = ""
    """The kind of finding in words; empty for a failure. The list of findings has the sentence."""
    focus: Focus | None = None
    """The focus that selects it."""
    code: str = field(init=False)
    """The code at its first position when it was reported."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", self.places[0].selectedText() if self.places else "")

    @property
    def is_edited(self) -> bool:
        """Whether that code is another one now."""
        return bool(self.places) and self.places[0].selectedText() != self.code

    @property
    def is_explained(self) -> bool:
        """Whether the card below the code explains it, and not the list of findings."""
        return not self.is_finding and bool(self.more or self.drawing)

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of its positions, counted from 0."""
        return tuple(place.document().findBlock(place.selectionStart()).blockNumber() for place in self.places)


def problems_in(snapshot: Snapshot, document: QTextDocument) -> list[EditorProblem]:
    """Return the problems of `snapshot` that have a position, bugs first, without repeats from other variants."""
    found: dict[tuple[Text | str, tuple[Span, ...]], EditorProblem] = {}

    def places(spans: tuple[Span, ...]) -> tuple[QTextCursor, ...]:
        return tuple(place_of(span, document) for span in spans if span.shown_line)

    for failure in (snapshot.failure, *(report.failure for report in snapshot.reports)):
        if failure is not None and failure.span is not None and failure.shown_line:
            spans = (failure.span,)
            found.setdefault((sentence_of(failure), spans), _of_failure(failure, places(spans)))
    for report in snapshot.reports:
        for index, finding in enumerate(report.findings or ()):
            if any(span.shown_line for span in finding.spans):
                check = checks().get(finding.kind)
                made = EditorProblem(
                    finding.level,
                    unmarked(finding.message),
                    "",
                    places(finding.spans),
                    fixes=finding.fixes,
                    is_finding=True,
                    name=str(say(check.name)) if check else "",
                    focus=Focus("finding", index, report.name),
                )
                found.setdefault((finding.message, finding.spans), made)
    return sorted(found.values(), key=lambda problem: LEVELS.index(problem.level))


def _of_failure(failure: Failure, places: tuple[QTextCursor, ...]) -> EditorProblem:
    return EditorProblem(
        "bug",
        sentence_of(failure),
        str(failure.explanation),
        places,
        drawing=failure.drawing,
        original=failure.original,
        link=failure.link,
        lesson=failure.lesson,
        fixes=failure.fixes,
        focus=Focus("line", failure.shown_line),
    )


def sentence_of(failure: Failure) -> str:
    """Return type and message of `failure` in one line."""
    return unmarked(failure.words).partition("\n")[0]


def place_of(span: Span, document: QTextDocument) -> QTextCursor:
    """Return a cursor that selects `span`; where the span is empty or outside of the line, the whole line."""
    first = document.findBlockByNumber(min(span.line, document.blockCount()) - 1)
    last = document.findBlockByNumber(min(span.end_line, document.blockCount()) - 1)
    start = first.position() + utf16_length(first.text()[: span.column])
    end = last.position() + utf16_length(last.text()[: span.end_column])
    if end <= start:
        text = first.text()
        start = first.position() + len(text) - len(text.lstrip())
        end = first.position() + utf16_length(text)
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor
