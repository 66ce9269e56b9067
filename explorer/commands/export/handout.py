"""``jax-explorer handout``: lessons as a page for the browser or a notebook, computed by running them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from explorer.commands.export.pictures import OffscreenWindow
from explorer.library import own_file
from explorer.link.remotes.remote import HERE, Remote
from explorer.scenario.scenario import Scenario

NOTEBOOK = ".ipynb"
ENDINGS = (".html", ".htm", NOTEBOOK)


def run(
    lessons: Sequence[Scenario],
    file: Path,
    *,
    title: str,
    language: str,
    with_notes: bool = False,
    code: str = "",
    variant: str = "",
    remote: Remote = HERE,
) -> int:
    """Write the handout of `lessons` into `file`, in the format of its ending; return the exit code.

    The lessons run at `remote`, with `code` instead of their own if there is any. A program without a story shows
    `variant`. Raises OSError.
    """
    with OffscreenWindow(language, times=False, remote=remote) as unseen:
        from explorer.commands.export.reading import Reader
        from explorer.window.handout import notebook, web
        from explorer.window.handout.records import Handout

        unseen.window.resize(1600, 1000)
        reader = Reader(unseen, language, with_notes=with_notes)
        taught = []
        for number, lesson in enumerate(lessons, 1):
            print(f"{number}/{len(lessons)} {lesson.title.text(language)}", file=sys.stderr, flush=True)  # noqa: T201
            taught.append(reader.read(lesson, code=code, variant=variant))
        date = f"{datetime.now().astimezone():%Y-%m-%d}"
        handout = Handout(title or taught[0].title, language, tuple(taught), date)
        is_notebook = file.suffix.lower() == NOTEBOOK
        own_file.write_atomically(file, notebook.notebook(handout) if is_notebook else web.page(handout).encode())
        print(file)  # noqa: T201
    problems = [each.problem for each in taught if each.problem]
    for problem in problems:
        sys.stderr.write(f"jax-explorer: {problem}\n")
    return 2 if problems else 0
