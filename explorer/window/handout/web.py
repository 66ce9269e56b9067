"""A handout as one HTML file: without network, without a script, for a phone, a screen and paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from string import Template

import resources
from explorer.window.handout.marked_up import in_line, of_listing, of_markdown
from explorer.window.handout.records import Figure, Handout, Listing, Sheet, Taught
from explorer.window.handout.words import Words, colours_in_the_dark

NAMES = re.compile(r'\bid="|(?:href="|url\()#')
"""Before the name of a part of a picture, where it is given and where it is used."""
WIDEST = 500
"""Pixels of a picture that is made smaller to fit; a wider one is a table, which is scrolled."""


def page(handout: Handout) -> str:
    """Return `handout` as an HTML document."""
    words = Words()
    body = "\n".join(_Writer(handout, words).pieces())
    style = _resource("style.css").replace("$dark", colours_in_the_dark())
    made = Template(_resource("page.html"))
    return made.substitute(language=handout.language, title=escape(handout.title), style=style, body=body)


@cache
def _resource(name: str) -> str:
    return (Path(resources.__file__).parent / "handout" / name).read_text(encoding="utf-8")


class _Writer:
    """Writes a handout piece by piece."""

    def __init__(self, handout: Handout, words: Words) -> None:
        self._handout, self._words = handout, words
        self._ids = {lesson.scenario.id: f"lesson-{number}" for number, lesson in enumerate(handout.lessons, 1)}
        self._drawn = 0
        """How many pictures were written."""
        self._titles = {lesson.scenario.id: lesson.title for lesson in handout.lessons}

    def pieces(self) -> Iterator[str]:
        """Yield what stands on the page."""
        lessons = self._handout.lessons
        yield f"<header><h1>{escape(self._handout.title)}</h1></header>"
        if len(lessons) > 1:
            entries = "".join(
                f'<li><a href="#{self._ids[each.scenario.id]}">{escape(each.title)}</a></li>' for each in lessons
            )
            yield f"<nav><p>{escape(self._words.lessons)}</p><ol>{entries}</ol></nav>"
        for lesson in lessons:
            yield f'<article id="{self._ids[lesson.scenario.id]}">'
            yield from self._lesson(lesson, alone=len(lessons) == 1)
            yield "</article>"
        yield f"<footer><p>{escape(self._words.end(self._handout))}</p></footer>"

    def _lesson(self, lesson: Taught, *, alone: bool) -> Iterator[str]:
        words = self._words
        if not alone:
            yield f"<h2>{escape(lesson.title)}</h2>"
        needs = [name for name in lesson.scenario.needs if name in self._ids]
        if needs:
            links = ", ".join(f'<a href="#{self._ids[each]}">{escape(self._titles[each])}</a>' for each in needs)
            yield f'<p class="dim">{words.builds_on.format(links)}</p>'
        for told in (lesson.problem, words.edited if lesson.edited else ""):
            if told:
                yield f'<p class="notes">{escape(told)}</p>'
        yield f"<details open><summary>{escape(words.code)}</summary>{self._variants(lesson)}"
        yield f"{of_listing(lesson.code)}</details>"
        for number, sheet in enumerate(lesson.sheets, 1):
            yield from self._sheet(lesson, number, sheet)
        yield from self._tasks(lesson)
        yield from self._found(lesson)
        yield f'<p class="dim">{escape(words.circumstances(lesson))}</p>'

    def _variants(self, lesson: Taught) -> str:
        rows = "".join(f"<li><code>{escape(name)}</code> {escape(title)}</li>" for name, title in lesson.variants)
        return f"<ul>{rows}</ul>" if rows else ""

    def _sheet(self, lesson: Taught, number: int, sheet: Sheet) -> Iterator[str]:
        words = self._words
        yield "<section>"
        if sheet.heading:
            yield f"<h3>{number}. {in_line(sheet.heading)}</h3>"
        yield of_markdown(sheet.text, sheet.folder)
        if sheet.excerpt is not None:
            yield of_listing(sheet.excerpt)
        rest = "".join((*self._shown(sheet), of_markdown(sheet.reveal, sheet.folder)))
        if sheet.ask is not None:
            choices = "".join(f"<li>{in_line(each)}</li>" for each in sheet.ask.choices)
            yield f'<div class="ask">{of_markdown(sheet.ask.text)}'
            yield f"<ol>{choices}</ol>" if choices else ""
            answer = f"<p>{in_line(words.answered(lesson, number - 1))}</p>"
            yield f'<details class="answer"><summary>{escape(words.answer)}</summary>{answer}{rest}</details></div>'
        elif sheet.holds_back:
            yield f"<details><summary>{escape(words.read_on)}</summary>{rest}</details>"
        else:
            yield rest
        yield "</section>"

    def _shown(self, sheet: Sheet) -> Iterator[str]:
        if sheet.figures:
            yield f'<div class="figures">{"".join(map(self._figure, sheet.figures))}</div>'
        yield from map(self._listing, sheet.listings)
        if sheet.remark:
            yield f'<p class="dim">{escape(sheet.remark)}</p>'

    def _figure(self, figure: Figure) -> str:
        drawn = figure.svg.decode().partition("?>")[2].strip()
        # The same picture may come once more, and what its parts are called must be on the page once.
        self._drawn += 1
        drawn = NAMES.sub(rf"\g<0>p{self._drawn}-", drawn)
        kinds = ["table"] * (figure.width > WIDEST) + ["cells"] * figure.has_cells
        title = f"<b>{escape(figure.title)}</b> " if figure.title else ""
        said = f"<figcaption>{title}{escape(figure.caption)}</figcaption>" if title or figure.caption else ""
        # What reads the page aloud reads the caption, and not each letter.
        drawn = drawn.replace("<svg ", f'<svg role="img" aria-label="{escape(figure.title or figure.caption)}" ', 1)
        return f'<figure class="{" ".join(kinds)}"><div>{drawn}</div>{said}</figure>'

    def _listing(self, listing: Listing) -> str:
        more = f'<p class="dim">{self._words.more_lines.format(listing.left_out)}</p>' if listing.left_out else ""
        title = f"<p>{escape(listing.title)}</p>" if listing.title else ""
        return f'<div class="listing">{title}{of_listing(listing)}{more}</div>'

    def _tasks(self, lesson: Taught) -> Iterator[str]:
        words = self._words
        if not lesson.tasks:
            return
        yield f'<section><h3>{escape(words.try_it)}</h3><ol class="tasks">'
        for task in lesson.tasks:
            where = f' <span class="dim">({words.variant.format(f"<code>{task.variant}</code>")})</span>'
            yield f"<li>{in_line(task.text)}{where if task.variant else ''}"
            if task.told:
                told = of_markdown(task.told)
                yield f"<details><summary>{escape(words.when_done)}</summary>{told}</details>"
            yield "</li>"
        yield "</ol>"
        if words.has_open_figures(lesson):
            yield f'<p class="dim">{escape(words.open_figures)}</p>'
        yield "</section>"

    def _found(self, lesson: Taught) -> Iterator[str]:
        if not lesson.found:
            return
        yield f'<section><h3>{escape(self._words.findings)}</h3><ul class="found">'
        for each in lesson.found:
            level, place = self._words.levels[each.level], self._words.place(each)
            yield (
                f'<li class="{each.level}"><b>{escape(level)}</b> {escape(each.sentence)} '
                f'<span class="dim">{escape(place)}</span></li>'
            )
        yield "</ul></section>"
