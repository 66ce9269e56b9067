"""What a program does while it is traced: told where it is wrong, and not where it is right."""

from __future__ import annotations

import pytest

from tests.worker.checks import host_random_cases, host_state_cases, leaked_tracer_cases, recompiles_cases
from tests.worker.checks.inspected import HEAD, expected, told

TABLES = (host_random_cases, host_state_cases, leaked_tracer_cases, recompiles_cases)
CASES = [
    pytest.param(code, id=f"{table.__name__.rpartition('.')[2]}: {name}")
    for table in TABLES
    for cases in (table.BROKEN, table.SOUND)
    for name, code in cases.items()
]


@pytest.mark.parametrize("code", CASES)
def test_each_line_is_told_what_it_deserves(code: str) -> None:
    source = HEAD + code
    assert told(source) == expected(source)


@pytest.mark.parametrize("table", TABLES)
def test_the_tables_say_what_they_are(table: object) -> None:
    broken, sound = table.BROKEN, table.SOUND  # type: ignore[attr-defined]
    assert min(len(broken), len(sound)) >= 20
    assert all("# bug: " in each or "# warning: " in each for each in broken.values())
    assert not any("# bug: " in each or "# warning: " in each for each in sound.values())
