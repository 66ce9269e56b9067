"""The drawing of the Keys pane, compared with all texts about the same keys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from unittest.mock import patch

import numpy as np

from explorer.figures.forest import collapsing
from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.key_sentences import KeySentences
from explorer.figures.forest.layout import KeyLayout, lay_out
from explorer.figures.key_tally import FAULTS
from explorer.messages import KEY_STATES, Finding, KeyGraph, Report, Snapshot
from explorer.scenario.measures import Evidence, measure


def disagreements(graph: KeyGraph, findings: tuple[Finding, ...] | None = None) -> list[str]:
    """Return every sentence or count on the keys of `graph` that contradicts the picture.

    Without `findings` nothing is compared with them.
    """
    if not graph.nodes:
        return []
    words = KeySentences(KeyIndex(graph))
    folded, unfolded = lay_out(words.index), _without_chains(words.index)
    found = [*_symbols(graph, folded), *_counts(graph, words, unfolded), *_stories(words)]
    return found + (list(_findings(words, folded, findings)) if findings is not None else [])


def painted(layout: KeyLayout) -> list[str]:
    """Return the drawn state of each place."""
    return [KEY_STATES[state] for state in layout.state.tolist()]


def _without_chains(index: KeyIndex) -> KeyLayout:
    with patch.object(collapsing, "CHAIN_LENGTH", index.nodes + 1):
        return lay_out(index)


def _symbols(graph: KeyGraph, layout: KeyLayout) -> Iterator[str]:
    """Yield each place whose symbol hides that one of its keys is shared or used twice."""
    own = [KEY_STATES[state] for state in graph.state.numpy().tolist()]
    for place, state in enumerate(painted(layout)):
        hidden = {own[key] for key in layout.members(place).tolist()} & set(FAULTS)
        if hidden and state not in FAULTS:
            yield f"place {place} is painted {state}, but stands for keys that are {hidden}"


def _counts(graph: KeyGraph, words: KeySentences, layout: KeyLayout) -> Iterator[str]:
    """Yield each number of legend, measures, caption and description that is not the number of symbols."""
    symbols = Counter(painted(layout))
    report = Report("run", "ok", keys=graph)
    evidence = Evidence(Snapshot(1, "cpu:0", True, reports=(report,)), "run")
    if symbols != (legend := words.index.tally.counts):
        yield f"{symbols} are painted, the legend is of {legend}"
    for state in KEY_STATES:
        if measure(f"keys {state}", evidence) != symbols[state]:
            yield f"keys {state} gives {measure(f'keys {state}', evidence)} of {symbols[state]} painted"
    if measure("keys", evidence) != len(layout.node):
        yield f"keys gives {measure('keys', evidence)} of {len(layout.node)} painted"
    yield from _caption(words, symbols)
    total = re.search(r"\. (\d[\d,]*) keys? in all", words.description())
    if total is None or int(total[1].replace(",", "")) != len(layout.node):
        yield f"{words.description()!r}, with {len(layout.node)} symbols"


def _caption(words: KeySentences, symbols: Counter[str]) -> Iterator[str]:
    verdict_text, spent = words.verdict, words.index.tally.spent
    counts = {
        "shared": _number(verdict_text, r"(\d[\d,]*) shared by") or int("shared by" in verdict_text),
        "reused": sum(_number(verdict_text, rf"(\d[\d,]*) {how}more than once") for how in ("", "split "))
        or int(", " in verdict_text and verdict_text.endswith(" times")),
    }
    for state, count in counts.items():
        if count != symbols[state]:
            yield f"{verdict_text!r}, with {symbols[state]} keys painted {state}"
    drawn = symbols["drawn"] + symbols["shared"]
    if drawn > spent:
        yield f"{verdict_text!r}, with {drawn} keys painted as drawn from"


def _number(text: str, pattern: str) -> int:
    found = re.search(pattern, text)
    return int(found[1].replace(",", "")) if found else 0


def _stories(words: KeySentences) -> Iterator[str]:
    """Yield each key whose tooltip contradicts its symbol."""
    tally = words.index.tally
    for key in np.flatnonzero(~tally.folded).tolist():
        state, story = words.index.state_of(key), words.story(key)
        wrong = {
            "shared": "shared by" not in story,
            "reused": "times:" not in story and "more than once" not in story,
            "drawn": "shared by" in story or "not used" in story or "nothing used" in story,
            "split": "not used" in story or "nothing used" in story,
            "unused": "nothing used it" not in story,
            "fresh": "not used" not in story,
            "orphan": "shared by" in story,
        }
        if wrong[state]:
            yield f"key {key} is painted {state}: {story!r}"
        if state == "drawn" and "times:" in story and "as intended" not in story:
            yield f"key {key} is painted drawn once: {story!r}"


def _findings(words: KeySentences, layout: KeyLayout, findings: tuple[Finding, ...]) -> Iterator[str]:
    """Yield each finding of misuse that is not painted, and each painted misuse without a finding."""
    states = painted(layout)
    # Keys that are shared are painted as that also where it does no harm, in the colour of a note.
    bugs = [
        each for each in findings if each.kind == "shared-noise" or (each.kind == "key-reuse" and each.level != "note")
    ]
    for finding in bugs:
        for key in finding.keys:
            if states[layout.place[key]] not in FAULTS:
                yield f"{finding.message!r}, but key {key} is painted {states[layout.place[key]]}"
    if bool(bugs) != words.index.tally.is_faulty:
        yield f"{words.verdict!r}, and {len(bugs)} bugs are told"
