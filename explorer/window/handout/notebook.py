"""notebook(): a lesson that plain Jupyter runs from top to bottom: story with pictures, code, each call.

Its format is that of nbformat 4.5, https://nbformat.readthedocs.io/en/latest/format_description.html.
"""

from __future__ import annotations

import ast
import base64
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from explorer.messages import TOP_LEVEL
from explorer.text.html import Html, html, start, tag
from explorer.window.handout.handout_words import LETTERS, Words
from explorer.window.handout.records import AnsweredPage, Figure, Handout, HandoutLesson, Listing, VariantCall
from views.parts.drawing import png
from views.parts.own_picture import KINDS, read_picture

MOST_PRINTED = 100
"""The most values of an array that are written out; a longer one is abbreviated."""
CALL = '''\
import inspect

import numpy

numpy.set_printoptions(threshold={most})


def call(variant, **settings):
    """{doc}"""
    given = inputs(**settings) if "inputs" in globals() else {{}}
    return variant(**{{name: given[name] for name in inspect.signature(variant).parameters if name in given}})'''
DEVICES = '''\
import os

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count={}"'''
FAILING = """\
try:
    {call}
except Exception as error:
    print(f"{{type(error).__name__}}: {{error}}")"""
Cell = dict[str, Any]
KINDS_BY_TYPE = {media_type: ending for ending, media_type in KINDS.items()}
_TAG = re.compile("<(?=[A-Za-z/!?])")
_NO_TAG = "<\u2060"
"""The beginning of a tag and an invisible character: no HTML anywhere, and unchanged in code, without escapes."""
_KEY = re.compile(r"(?<=key<)\u2060(?=(?:fry|u?rbg)>)")
_PICTURE = re.compile(r"""!\[([^][\n]*)\]\(<?([^()<>\n]*?)>?(?:\s+["'][^\n]*["'])?\)""")


def notebook(handout: Handout) -> bytes:
    """Return the first lesson of `handout` as a notebook."""
    lesson = handout.lessons[0]
    cells = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(_Writer(lesson, handout).cells(), 1)]
    made = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "title": lesson.title,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


class _Writer:
    """Writes a lesson cell by cell."""

    def __init__(self, lesson: HandoutLesson, handout: Handout) -> None:
        self._lesson, self._handout, self._words = lesson, handout, Words()
        self._called: set[VariantCall] = set()

    def cells(self) -> Iterator[Cell]:
        """Yield every cell, without its id."""
        lesson, words = self._lesson, self._words
        top = [f"# {lesson.title}", lesson.problem, words.edited if lesson.edited else ""]
        variants = "\n".join(f"- `{name}` {title}" for name, title in lesson.variants)
        yield _markdown(*top, variants)
        if lesson.scenario.devices > 1:
            yield _code(DEVICES.format(lesson.scenario.devices))
        yield _code(without_main(lesson.scenario.source))
        if any(sheet.calls for sheet in lesson.sheets):
            yield _code(CALL.format(doc=words.call_doc, most=MOST_PRINTED))
        for place, sheet in enumerate(lesson.sheets):
            yield from self._sheet(place, sheet)
        yield from self._rest()
        yield from self._tasks()
        yield _markdown(self._findings(), f"*{words.circumstances(lesson)} {words.end(self._handout)}*")

    def _sheet(self, place: int, sheet: AnsweredPage) -> Iterator[Cell]:
        words = self._words
        figures = {f"page-{place + 1}-{number}.png": each for number, each in enumerate(sheet.figures, 1)}
        attached = {name: _attachment("image/png", _png(each)) for name, each in figures.items()}
        text, pictures = _with_pictures(sheet.text, sheet.folder, f"text-{place + 1}")
        reveal, revealed = _with_pictures(sheet.reveal, sheet.folder, f"reveal-{place + 1}")
        heading = f"## {place + 1}. {sheet.heading}" if sheet.heading else ""
        shown = [
            *(_image(name, each) for name, each in figures.items()),
            *map(self._listing, sheet.listings),
            sheet.remark and f"*{sheet.remark}*",
        ]
        if not sheet.ask and not sheet.has_two_halves:
            yield _markdown(heading, text, *shown, reveal, attachments={**pictures, **attached, **revealed})
            yield from self._calls(sheet.calls)
            return
        asked = []
        if sheet.ask is not None:
            choices = "\n".join(
                f"- **{letter}.** {each}" for letter, each in zip(LETTERS, sheet.ask.choices, strict=False)
            )
            asked = [sheet.ask.text, choices]
        yield _markdown(heading, text, *asked, attachments=pictures)
        # The next run shows it, too.
        yield from self._calls(sheet.calls)
        summary = words.answer if sheet.ask is not None else words.read_on
        answer = f"**{words.answered(self._lesson, place)}**" if sheet.ask is not None else ""
        wrong = words.wrong_choices(self._lesson, place)
        yield _markdown(*_folded(summary, answer, wrong, *shown, reveal), attachments={**attached, **revealed})

    def _calls(self, calls: Iterable[VariantCall]) -> Iterator[Cell]:
        for each in calls:
            if each not in self._called and each.variant != TOP_LEVEL:
                self._called.add(each)
                yield _code(_call(each))

    def _rest(self) -> Iterator[Cell]:
        """Yield a call of each variant that is on no page."""
        if not (shown := {each.variant for each in self._called}):
            return
        failing = {each.variant for each in self._lesson.found if each.level == "error"}
        yield from self._calls(
            VariantCall(name, (), fails=name in failing or bool(plan and plan.error))
            for name, _ in self._lesson.variants
            for plan in [self._lesson.scenario.plan(name)]
            if name not in shown
        )

    def _tasks(self) -> Iterator[Cell]:
        """Yield each exercise with a cell to work in, which has the function that it is about."""
        for number, task in enumerate(self._lesson.tasks, 1):
            where = f" ({self._words.variant.format(f'`{task.variant}`')})" if task.variant else ""
            yield _markdown("" if number > 1 else f"## {self._words.try_it}", f"**{number}.** {task.text}{where}")
            plan = self._lesson.scenario.plan(task.variant)
            call = [_call(VariantCall(task.variant, (), fails=bool(plan and plan.error)))] if self._called else []
            function = function_in(self._lesson.scenario.source, task.variant)
            yield _code("\n\n\n".join([function, *call] if function else []))
            if task.outcome:
                yield _markdown(*_folded(self._words.when_done, task.outcome))
        if self._words.has_open_figures(self._lesson):
            yield _markdown(f"*{self._words.open_figures}*")

    def _findings(self) -> str:
        rows = [
            f"- **{self._words.levels[each.level]}** {each.sentence} ({self._words.place(each)})"
            for each in self._lesson.found
        ]
        return "\n".join([f"## {self._words.findings}\n", *rows]) if rows else ""

    def _listing(self, listing: Listing) -> str:
        more = f"\n\n{self._words.more_lines.format(listing.left_out)}" if listing.left_out else ""
        # No text that it holds ends it.
        fence = "`" * max(3, *(1 + len(each) for each in re.findall("`+", listing.text)), 0)
        return Html(f"{_plain(listing.title)}\n\n{fence}\n{listing.text}\n{fence}{more}")


def without_main(source: str) -> str:
    """Return `source` without its ``__main__`` block, which would always run in a notebook."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return source.rstrip()
    mains = [node for node in body if isinstance(node, ast.If) and "__name__" in ast.dump(node.test)]
    lines = source.splitlines()
    for node in reversed(mains):
        del lines[node.lineno - 1 : node.end_lineno]
    return "\n".join(lines).rstrip()


def function_in(source: str, name: str) -> str:
    """Return the function `name` of `source` with its decorators; empty where there is none."""
    found = re.search(rf"^(?:@.*\n)*def {re.escape(name)}\(.*(?:\n(?:[ \t)].*)?)*", source, re.MULTILINE)
    return found[0].rstrip() if found else ""


def _call(call: VariantCall) -> str:
    settings = "".join(f", {name}={value!r}" for name, value in call.settings)
    words = f"call({call.variant}{settings})"
    return FAILING.format(call=words) if call.fails else words


def _markdown(*parts: str, attachments: dict[str, Any] | None = None) -> Cell:
    text = "\n\n".join(_plain(part) for part in parts if part)
    cell: Cell = {"cell_type": "markdown", "metadata": {}, "source": text}
    return {**cell, "attachments": attachments} if attachments else cell


def _plain(markdown: str) -> Html:
    """Return `markdown` with nothing in it that is HTML or loads a picture; our own parts are Html already."""
    if isinstance(markdown, Html):
        return markdown
    plain = _TAG.sub(_NO_TAG, markdown).replace("![", "\\![")
    # The dtype of a key is to be copied as it is; nowhere is it HTML.
    return Html(re.sub(r"`[^`\n]*`", lambda code: _KEY.sub("", code[0]), plain))


def _with_pictures(markdown: str, folder: str, name: str) -> tuple[Html, dict[str, Any]]:
    """Return `markdown`, plain but for the lesson's own pictures in `folder`, and these as attachments of its cell."""
    attached: dict[str, Any] = {}
    pieces: list[str] = []
    end = 0
    for found in _PICTURE.finditer(markdown):
        read = read_picture(folder, found[2])
        if read is not None:
            own = f"{name}-{len(attached) + 1}.{KINDS_BY_TYPE[read[1]]}"
            attached[own] = _attachment(read[1], read[0])
            pieces += [_plain(markdown[end : found.start()]), f"![{_plain(found[1])}](attachment:{own})"]
            end = found.end()
    return Html("".join((*pieces, _plain(markdown[end:])))), attached


def _attachment(kind: str, content: bytes) -> dict[str, str]:
    return {kind: base64.b64encode(content).decode()}


def _folded(summary: str, *parts: str) -> list[str]:
    return [html(start("details"), "\n", tag("summary", summary)), *parts, Html("</details>")]


def _code(text: str) -> Cell:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text}


def _image(name: str, figure: Figure) -> str:
    # Not as HTML: Colab and VS Code show attachments of Markdown alone.
    words = figure.words.replace("[", "(").replace("]", ")").replace("\n", " ")
    caption = " ".join(filter(None, (figure.title and f"**{figure.title}**", figure.caption)))
    return Html(f"![{_plain(words)}](attachment:{name})\n\n{_plain(caption)}")


def _png(figure: Figure) -> bytes:
    """Return `figure` as pixels: not every notebook shows SVG in a cell."""
    drawn = QSvgRenderer(figure.svg)
    # A picture of Markdown has no other size than its own.
    image = QImage(drawn.defaultSize(), QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    drawn.render(painter)
    painter.end()
    return png(image)
