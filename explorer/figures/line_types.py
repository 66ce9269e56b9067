"""The types that a line of code made, in words: ``f32[784] · 32×``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

from explorer.messages import LineType, Report
from explorer.text.text import Text, joined, say, verbatim

_KEYS = re.compile(r"key<\w+>\[(.*)\]")


def line_type_words(reports: Iterable[Report]) -> dict[int, Text]:
    """Return by line the types of one example, then how often the batch has them; other forms follow after a bar."""
    found: defaultdict[int, dict[tuple[LineType, ...], None]] = defaultdict(dict)
    for report in reports:
        programs = report.program, *(each.program for each in report.subjects)
        for line, forms in (pair for each in programs if each is not None for pair in each.line_types.items()):
            found[line].update(dict.fromkeys(forms))
    return {line: joined(" | ", [joined(", ", _values(form)) for form in forms]) for line, forms in found.items()}


def _values(form: tuple[LineType, ...]) -> Iterator[Text]:
    for (mapped, shared), values in groupby(form, lambda each: (each.mapped, each.shared)):
        types = joined(", ", map(_type, values))
        parts: list[Text | str] = [types, "".join(f"{size}×" for size in mapped)]
        if shared:
            parts.append(say("shared by {count}", count="×".join(map(str, shared))))
        yield joined(" · ", parts)


def _type(value: LineType) -> Text:
    found = _KEYS.fullmatch(value.type)
    if found is None:
        return verbatim(value.type)
    count = found[1].replace(",", "×") or "1"
    return say("1 key") if count == "1" else say("{count} keys", count=count)
