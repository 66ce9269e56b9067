"""Places of a program in words: what is called there, on which line, and of which file where there are several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from explorer.messages import Site
from explorer.worker.spoken.say import say


class Places:
    """Names the places of one run."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._files = _short_names({site.span.file for site in sites if site.span is not None})

    def __call__(self, site: Site) -> str:
        """Return where `site` is: what the person called there, and the line."""
        called = f"`{site.inside or site.name}`"
        if site.span is None:
            return called
        file = self._files.get(site.span.file, "")
        if not file:
            return say("{called} on line {line}", called=called, line=site.span.line)
        return say("{called} on line {line} of {file}", called=called, line=site.span.line, file=file)


def _short_names(files: Iterable[str]) -> dict[str, str]:
    """Return as much of the end of each path as tells `files` apart; nothing where there is only one file."""
    paths = {file: Path(file).parts for file in files}
    if len(paths) < 2:
        return {}
    for depth in range(1, max(map(len, paths.values())) + 1):
        names = {file: "/".join(parts[-depth:]) for file, parts in paths.items()}
        if len(set(names.values())) == len(names):
            return names
    return {file: file for file in paths}
