"""The original code is reported next to the edited code, and runs only once."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from msgspec.structs import replace

from explorer.messages import FromWorker, Report, Request, Snapshot, ValueRequest, original_name
from explorer.worker.process.channel import Channel
from explorer.worker.process.output import PrintedText
from explorer.worker.runs import analyse
from explorer.worker.runs.original import OriginalRun, WorkerCache
from tests.worker import analysed

ORIGINAL = """import jax


def inputs(seed=0):
    return {"key": jax.random.key(seed)}


def noise(key):
    print("from the original")
    return jax.random.normal(key, (4,)) - jax.random.normal(key, (4,))
"""
EDITED = '"""Mended."""\n' + ORIGINAL.replace("noise(key):", "noise(key):\n    other = jax.random.key(1)").replace(
    "- jax.random.normal(key", "- jax.random.normal(other"
).replace('    print("from the original")\n', "").replace("seed=0", "seed=0, more=1")


@pytest.fixture
def channel() -> Channel:
    return analysed.channel()


@pytest.fixture
def cache() -> WorkerCache:
    return WorkerCache()


def asked(source: str = EDITED, original: str = ORIGINAL, **fields: Any) -> Request:
    return Request(1, source, "<one>", variants=("noise",), original=original, **fields)


def both_reports(snapshot: Snapshot) -> tuple[Report, Report]:
    edited, original = snapshot.reports
    assert (edited.name, original.name) == ("noise", original_name("noise"))
    return edited, original


def test_both_are_reported_and_each_has_its_own_findings(channel: Channel, cache: WorkerCache) -> None:
    edited, original = both_reports(analyse.analyse(asked(draws=True), channel, cache))
    assert edited.status == original.status == "ok"
    assert [each.kind for each in edited.findings or ()] == []
    assert [(each.kind, each.spans) for each in original.findings or ()] == [("key-reuse", ())]
    assert [each.role for each in original.pictures or ()] == ["output", "draw", "draw"]


def test_what_the_original_has_is_reported_in_the_lines_of_the_edited_code(
    channel: Channel, cache: WorkerCache
) -> None:
    _, original = both_reports(
        analyse.analyse(asked(ORIGINAL.replace("import jax", "import jax\nimport math")), channel, cache)
    )
    assert {each.span.line for each in original.program.equations if each.span} == {11}
    assert set(original.program.lines) == {0, 11}
    _, original = both_reports(analyse.analyse(asked(), channel, cache))
    assert set(original.program.lines) == {0}, "the line of both draws is edited"


def test_the_original_runs_once_and_is_there_at_once_after_an_edit(
    channel: Channel, cache: WorkerCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyse.analyse(asked(), channel, cache)
    monkeypatch.setattr(OriginalRun, "ran", None)
    sent: list[FromWorker] = []
    analyse.analyse(asked(EDITED + "\n# more\n"), replace(channel, send=sent.append), cache)
    first = next(each for each in sent if isinstance(each, Snapshot))
    assert both_reports(first)[1].status == "ok"


def test_another_seed_runs_both_with_it(channel: Channel, cache: WorkerCache) -> None:
    seeds: list[dict[str, Any]] = [{}, {"seed": 3}]
    reports = [
        both_reports(analyse.analyse(asked(parameters={**each, "more": 2}, original_parameters=each), channel, cache))[
            1
        ]
        for each in seeds
    ]
    first, second = (each.keys.data.numpy().tolist() for each in reports if each.keys)
    assert first != second


def test_what_the_original_prints_is_not_heard(channel: Channel, cache: WorkerCache) -> None:
    heard: list[str] = []
    channel = replace(channel, printed=PrintedText(heard.append))
    with contextlib.redirect_stdout(channel.printed):
        edited, original = both_reports(
            analyse.analyse(asked(EDITED.replace("other =", "print('edited')\n    other =")), channel, cache)
        )
        channel.printed.flush()
    assert (edited.printed, original.printed) == ("edited\n", "")
    assert "".join(heard) == "edited\n"


@pytest.mark.parametrize(
    ("original", "kind"),
    [("def noise(:\n", "SyntaxError"), ("x = 1\n", "BadProgram"), (ORIGINAL.replace("(4,)", "(4, 'a')"), "TypeError")],
)
def test_an_original_that_fails_says_so_next_to_the_edited_code(
    channel: Channel, cache: WorkerCache, original: str, kind: str
) -> None:
    edited, failed = both_reports(analyse.analyse(asked(original=original), channel, cache))
    assert (edited.status, failed.status) == ("ok", "error")
    assert (failed.failure.type, failed.failure.span) == (kind, None)


def test_values_are_reported_for_the_code_in_the_editor_only(channel: Channel, cache: WorkerCache) -> None:
    analyse.analyse(asked(), channel, cache)
    answer = cache.values.answer(ValueRequest(2, 1, original_name("noise"), 0), channel)
    assert "not for the code before the edits" in str(answer.sentence)
