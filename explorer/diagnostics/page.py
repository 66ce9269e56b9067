"""The page of a check in Markdown, for ``explain``, window and docs/checks.md; their list; what a level means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from textwrap import TextWrapper

from explorer.diagnostics.check import PARTS, Check, Level, Part
from explorer.text.josa import filled
from explorer.text.languages import translated

WIDTH = 100
"""Characters per line."""
COMMAND = "jax-explorer explain"
OF_PARTS: dict[Part, str] = {"keys": "Keys and noise", "tracing": "Python and tracing", "values": "Values"}
LEVEL_MEANINGS: dict[Level, str] = {
    "bug": "the result is wrong, or the program can fail later",
    "warning": "probably not meant; if it is, say so in the code",
    "note": "nothing to fix, but good to know",
}
"""The one place that says when a finding has which level."""


def page(check: Check, language: str = "en", *, depth: int = 1) -> str:
    """Return the page of `check` in `language`, as Markdown; its title is a heading of level `depth`."""
    say, pieces = _speaker(language), [f"{'#' * depth} {check.id}", body(check, language, depth=depth + 1)]
    if check.lessons:
        lessons = ", ".join(f"`{each}`" for each in dict.fromkeys(check.lessons.values()))
        opened = say("{lessons}: `jax-explorer open LESSON` opens one.", lessons=lessons)
        pieces += [f"{'#' * (depth + 1)} {say('Lessons')}", opened]
    return "\n\n".join(pieces) + "\n"


def body(check: Check, language: str = "en", *, depth: int = 2) -> str:
    """Return the page without title and lessons, as Markdown; its headings have level `depth`."""
    say = _speaker(language)
    usual, *others = check.levels
    usual_level = f"**{usual}** ({say(LEVEL_MEANINGS[usual])})"
    levels = "; ".join([usual_level, *(f"**{level}**: {say(check.levels[level])}" for level in others)])
    allow = say(
        'In tests: `allow = ["{kind}"]` below `[tool.jax-explorer]` in pyproject.toml allows it everywhere, '
        '`@pytest.mark.jax_keys_allow("{kind}")` in one test.',
        kind=check.id,
    )
    marked = say("`# jax-explorer: on purpose` at the end of the line makes it a note, which fails nothing.")
    sections = [
        (say("Why JAX says nothing"), say(check.why_silent)),
        (say("A program with it"), _code(check.bad)),
        (say("The same without it"), _code(check.good)),
        (say("How to fix it"), say(check.fix)),
        (
            say("How to allow it"),
            "\n".join(each for each in (marked if check.has_mark else "", say(check.allow), allow) if each),
        ),
    ]
    head = [say(check.summary), say("Level: {levels}", levels=levels), say(check.what)]
    return "\n\n".join([*head, *(f"{'#' * depth} {name}\n\n{text}" for name, text in sections)])


def listing(known: Iterable[Check], language: str = "en") -> str:
    """Return one line for each check, as plain text, grouped by part."""
    say, checks = _speaker(language), list(known)
    width = max(len(each.id) for each in checks)
    lines: list[str] = []
    for part in PARTS:
        rows = [f"  {check.id:{width}}  {say(check.summary)}" for check in checks if check.part == part]
        lines += [say(OF_PARTS[part]), *rows, ""]
    return "\n".join([*lines, say("{command} KIND explains one.", command=COMMAND)])


def document(known: Iterable[Check], language: str = "en") -> str:
    """Return all pages below each other, with a table at the top; in English this is docs/checks.md."""
    say, checks = _speaker(language), list(known)
    rows = [
        f"| [`{check.id}`](#{check.id}) | {say(OF_PARTS[check.part])} | {check.level} | {say(check.summary)} |"
        for check in checks
    ]
    table = "\n".join([f"| {say('kind')} | {say('area')} | {say('level')} | |", "|---|---|---|---|", *rows])
    made = say("`{command} KIND` prints the part on one kind, `{command} --all` all of this.", command=COMMAND)
    levels = "\n".join(f"- **{level}**: {say(LEVEL_MEANINGS[level])}" for level in LEVEL_MEANINGS)
    pages = [page(each, language, depth=2) for each in checks]
    return "\n\n".join([f"# {say('Checks')}", made, levels, table, "\n".join(pages)])


_WRAPPED = TextWrapper(WIDTH, break_long_words=False, break_on_hyphens=False)


def _speaker(language: str) -> Callable[..., str]:
    """Return a function that translates a text to `language`, fills in its parts and wraps its lines."""
    return lambda text, **parts: _WRAPPED.fill(filled(translated(text, language), **parts))


def _code(program: str) -> str:
    return f"```python\n{program.strip()}\n```"
