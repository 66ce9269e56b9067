"""page(): a handout as one HTML file, without network and script, for a phone, a screen and paper.

On paper nothing can be unfolded, so the answers stand once more at the end. Browsers differ in what they print of
something folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Template

import resources
from explorer.text.html import Html, around, filled_with, html, start, tag
from explorer.window.handout.handout_words import Words, colours_in_the_dark
from explorer.window.handout.marked_up import captioned, in_line, of_listing, of_markdown
from explorer.window.handout.records import AnsweredPage, Figure, Handout, HandoutLesson, Listing

NAMES = re.compile(r'\bid="|(?:href="|url\()#')
"""Characters before the id of a part of a picture, in its definition and its uses."""
WIDEST = 500
"""The most pixels of width of a picture that is scaled to fit; a wider one is a table, which is scrolled."""


def page(handout: Handout) -> str:
    """Return `handout` as an HTML document."""
    words = Words()
    body = "\n".join(_Writer(handout, words).pieces())
    style = _resource("style.css").replace("$dark", colours_in_the_dark())
    made = Template(_resource("page.html"))
    return made.substitute(language=handout.language, title=html(handout.title), style=style, body=body)


@cache
def _resource(name: str) -> str:
    return (Path(resources.__file__).parent / "handout" / name).read_text(encoding="utf-8")


class _Writer:
    """Writes a handout piece by piece."""

    def __init__(self, handout: Handout, words: Words) -> None:
        self._handout, self._words = handout, words
        self._ids = {lesson.scenario.id: f"lesson-{number}" for number, lesson in enumerate(handout.lessons, 1)}
        self._drawn = 0
        """The number of pictures written so far."""
        self._titles = {lesson.scenario.id: lesson.title for lesson in handout.lessons}

    def pieces(self) -> Iterator[Html]:
        """Yield the pieces of the page."""
        lessons = self._handout.lessons
        yield tag("header", tag("h1", self._handout.title))
        if len(lessons) > 1:
            entries = (tag("li", self._link(each.scenario.id)) for each in lessons)
            yield tag("nav", tag("p", self._words.lessons), tag("ol", *entries))
        for lesson in lessons:
            pieces = self._lesson(lesson, alone=len(lessons) == 1)
            yield from around("article", pieces, id=self._ids[lesson.scenario.id])
        yield from around("section", (piece for each in lessons for piece in self._answers(each)), class_="on-paper")
        yield tag("footer", tag("p", self._words.end(self._handout)))

    def _link(self, lesson: str) -> Html:
        return tag("a", self._titles[lesson], href=f"#{self._ids[lesson]}")

    def _lesson(self, lesson: HandoutLesson, *, alone: bool) -> Iterator[Html]:
        words = self._words
        if not alone:
            yield tag("h2", lesson.title)
        needs = [name for name in lesson.scenario.needs if name in self._ids]
        if needs:
            links = Html(", ".join(map(self._link, needs)))
            yield tag("p", filled_with(words.builds_on, links), class_="dim")
        for note in (lesson.problem, words.edited if lesson.edited else ""):
            if note:
                yield tag("p", note, class_="notes")
        yield html(start("details", open=True, class_="code"), tag("summary", words.code), self._variants(lesson))
        yield html(of_listing(lesson.code), Html("</details>"))
        for number, sheet in enumerate(lesson.sheets, 1):
            yield from around("section", self._sheet(lesson, number, sheet))
        if lesson.tasks:
            yield from self._tasks(lesson)
        if lesson.found:
            yield from self._found(lesson, "on-screen" if _folded(lesson) else None)
        yield tag("p", words.circumstances(lesson), class_="dim")

    def _variants(self, lesson: HandoutLesson) -> Html:
        rows = [tag("li", tag("code", name), " ", title) for name, title in lesson.variants]
        return tag("ul", *rows) if rows else Html()

    def _sheet(self, lesson: HandoutLesson, number: int, sheet: AnsweredPage) -> Iterator[Html]:
        words = self._words
        if sheet.heading:
            yield tag("h3", f"{number}. ", in_line(sheet.heading))
        yield of_markdown(sheet.text, sheet.folder)
        if sheet.excerpt is not None:
            yield of_listing(sheet.excerpt)
        if sheet.ask is not None:
            choices = [tag("li", in_line(each)) for each in sheet.ask.choices]
            yield html(start("div", class_="ask"), of_markdown(sheet.ask.text))
            yield tag("ol", *choices) if choices else Html()
            rest = self._rest(lesson, number, sheet)
            yield html(tag("details", tag("summary", words.answer), *rest, class_="answer"), Html("</div>"))
        elif sheet.has_two_halves:
            yield tag("details", tag("summary", words.read_on), *self._rest(lesson, number, sheet))
        else:
            yield from self._rest(lesson, number, sheet)

    def _answers(self, lesson: HandoutLesson) -> Iterator[Html]:
        """Yield the folded parts of `lesson`, under the headings of its pages."""
        words, title = self._words, f": {lesson.title}" * (len(self._handout.lessons) > 1)
        folded = _folded(lesson)
        outcomes = [
            tag("li", of_markdown(each.outcome), value=n) for n, each in enumerate(lesson.tasks, 1) if each.outcome
        ]
        if folded or outcomes:
            yield tag("h2", f"{words.answers}{title}")
        for number, sheet in folded:
            yield tag("h3", f"{number}. ", in_line(sheet.heading))
            yield tag("div", *self._rest(lesson, number, sheet), class_="answer" if sheet.ask else None)
        if outcomes:
            yield html(tag("h3", words.try_it), tag("ol", *outcomes))
        if folded and lesson.found:
            yield from self._found(lesson)

    def _rest(self, lesson: HandoutLesson, number: int, sheet: AnsweredPage) -> Iterator[Html]:
        """Yield the answer to the question of page `number`, if it asks one, and what the page shows after it."""
        if sheet.ask is not None:
            yield tag("p", in_line(self._words.answered(lesson, number - 1)))
            yield of_markdown(self._words.wrong_choices(lesson, number - 1))
        if sheet.figures:
            yield tag("div", *map(self._figure, sheet.figures), class_="figures")
        yield from map(self._listing, sheet.listings)
        if sheet.remark:
            yield tag("p", sheet.remark, class_="dim")
        yield of_markdown(sheet.reveal, sheet.folder)

    def _figure(self, figure: Figure) -> Html:
        drawn = figure.svg.decode().partition("?>")[2].strip()
        # The same picture may come once more, and what its parts are called must be on the page once.
        self._drawn += 1
        drawn = NAMES.sub(rf"\g<0>p{self._drawn}-", drawn)
        # A screen reader reads these words instead of each letter.
        spoken = start("svg", role="img", aria_label=figure.words).removesuffix(">")
        drawn = drawn.replace("<svg ", f"{spoken} ", 1)
        kinds = ["table"] * (figure.width > WIDEST) + ["cells"] * figure.has_cells
        described = tag("figcaption", caption, aria_hidden="true") if (caption := captioned(figure)) else ""
        return tag("figure", tag("div", Html(drawn)), described, class_=" ".join(kinds))

    def _listing(self, listing: Listing) -> Html:
        more = tag("p", self._words.more_lines.format(listing.left_out), class_="dim") if listing.left_out else ""
        title = tag("p", listing.title) if listing.title else ""
        return tag("div", title, of_listing(listing), more, class_="listing")

    def _tasks(self, lesson: HandoutLesson) -> Iterator[Html]:
        words = self._words
        yield html(start("section"), tag("h3", words.try_it), start("ol", class_="tasks"))
        for task in lesson.tasks:
            where = tag("span", "(", filled_with(words.variant, tag("code", task.variant)), ")", class_="dim")
            yield html(start("li"), in_line(task.text), *((" ", where) if task.variant else ()))
            if task.outcome:
                yield tag("details", tag("summary", words.when_done), of_markdown(task.outcome))
            yield Html("</li>")
        yield Html("</ol>")
        if words.has_open_figures(lesson):
            yield tag("p", words.open_figures, class_="dim")
        yield Html("</section>")

    def _found(self, lesson: HandoutLesson, where: str | None = None) -> Iterator[Html]:
        yield html(start("section", class_=where), tag("h3", self._words.findings), start("ul", class_="found"))
        for each in lesson.found:
            level, place = self._words.levels[each.level], self._words.place(each)
            yield tag(
                "li", tag("b", level), " ", each.sentence, " ", tag("span", place, class_="dim"), class_=each.level
            )
        yield Html("</ul></section>")


def _folded(lesson: HandoutLesson) -> list[tuple[int, AnsweredPage]]:
    """Return the pages of `lesson` that hold something back, each with its number."""
    return [
        (number, each) for number, each in enumerate(lesson.sheets, 1) if each.ask is not None or each.has_two_halves
    ]
