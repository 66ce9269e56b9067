"""A small hand-made handout."""

from __future__ import annotations

from explorer.scenario.page import PageQuestion
from explorer.scenario.scenario import Scenario, VariantPlan
from explorer.scenario.texts import Texts
from explorer.window.handout import panes
from explorer.window.handout.records import (
    AnsweredPage,
    Figure,
    Handout,
    HandoutExercise,
    HandoutFinding,
    HandoutLesson,
    VariantCall,
)

SOURCE = '''\
"""Twice <b>."""


def inputs(n=2):
    return {"x": n}


def twice(x):
    return 2 * x


def fails(x):
    raise ValueError(x)


if __name__ == "__main__":
    print(twice(**inputs()))
'''
SVG = (
    b'<?xml version="1.0"?>\n<svg width="40" height="30" viewBox="0 0 40 30" xmlns="http://www.w3.org/2000/svg">'
    b'<rect width="40" height="30" fill="#0060a8"/></svg>'
)


def lesson(name: str = "first", needs: tuple[str, ...] = ()) -> HandoutLesson:
    plans = (VariantPlan("twice", Texts("Doubled")), VariantPlan("fails", Texts("It fails"), error="ValueError"))
    scenario = Scenario(name, "built-in", "", SOURCE, Texts(f"Lesson {name}"), needs=needs, variants=plans)
    code = panes.code_listing("first.py", SOURCE)
    picture = Figure(SVG, "twice", "4, as it should be.", 40)
    asked = AnsweredPage(
        "Heading & more",
        "A **story**:\n\n- one\n- two\n\n```\ncode <here>\n```",
        PageQuestion("What is `twice`?", ("3", "4"), None, (False, True), "4"),
        "It is four.",
        "twice",
        excerpt=panes.excerpt(code, 9),
        figures=(picture,),
        calls=(VariantCall("twice", (("n", 3),)), VariantCall("fails", (), fails=True)),
        has_two_halves=True,
    )
    shown = AnsweredPage("Told", "No question here.", reveal="The end.", listings=(panes.plain("stdout", "a\nb\n"),))
    return HandoutLesson(
        scenario,
        f"Lesson {name}",
        code,
        (asked, shown),
        (HandoutExercise("Make it five.", "twice", "It gives …."),),
        (HandoutFinding("fails", "error", "ValueError: 2", 13), HandoutFinding("twice", "bug", "A <bug>.", 9)),
        (("n", "2"), ("seed", "0")),
        ("Python 3.11", "jax 0.10.2"),
        "cpu:0",
        (("twice", "Doubled"), ("fails", "It fails")),
    )


def handout(*lessons: HandoutLesson) -> Handout:
    return Handout("All of it", "en", lessons or (lesson(),), "2026-01-02")
