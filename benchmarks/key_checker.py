"""Compares JAX's key checkers and ours on programs with known results: ``python -m benchmarks.key_checker``.

JAX has two checkers: one reads the program without running it, the other is a flag that watches it run. The expected
result of each program was written down before any checker ran. For other kinds of findings JAX has other flags, or
none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks import kinds

if TYPE_CHECKING:
    from tests.corpus.cases import Case

DEVICES = 4

COLUMNS = ("JAX static", "JAX flag", "ours")


@dataclass(frozen=True)
class Row:
    """A case and, in the order of COLUMNS, the answers: a result, or ``fails`` where the program cannot be checked."""

    case: Case
    verdicts: tuple[str, str, str]

    @property
    def truth(self) -> str:
        return truth(mark for _, mark in self.case.marks)

    def line(self) -> str:
        cells = (_marked(verdict, self.truth) for verdict in self.verdicts)
        return (
            f"{self.case.name.replace('_', ' '):58} {self.truth:16} "
            + " ".join(f"{cell:20}" for cell in cells).rstrip()
        )


def truth(marks: Iterable[str]) -> str:
    """Return what `marks` claim: ``ok``, ``reuse``, ``shared`` or ``reuse and shared``; notes claim nothing."""
    claims = {"bug: key-reuse": "reuse", "bug: shared-noise": "shared"}
    return " and ".join(sorted(claims[mark] for mark in set(marks) if mark in claims)) or "ok"


def is_missed(verdict: str, truth: str) -> bool:
    """Return whether the program has a bug and the checker found nothing, or failed."""
    return truth != "ok" and verdict in ("ok", "fails")


def is_false_alarm(verdict: str, truth: str) -> bool:
    """Return whether the program is sound and the checker reports a bug."""
    return truth == "ok" and verdict not in ("ok", "fails")


def rows(cases: Sequence[Case]) -> list[Row]:
    """Ask every checker about every case."""
    import jax

    from tests.corpus.cases import judged

    # Ours patches JAX when it first records, so JAX speaks first; and what it traced must not be found again.
    jaxs = [_of_jax(case.function()) for case in cases]
    jax.clear_caches()
    ours = [truth({f"{each.level}: {each.kind}" for each in judged(case)}) for case in cases]
    return [Row(case, (*both, our)) for case, both, our in zip(cases, jaxs, ours, strict=True)]


def _of_jax(program: Callable[[], Any]) -> tuple[str, str]:
    from explorer.worker.lineage import jax_checker

    # All that JAX's checkers can claim is reuse.
    words = {"silent": "ok", "failed": "fails", "alarm": "reuse"}
    static, flag = jax_checker.ask(lambda: (program, {}))
    return words[static.kind], words[flag.kind]


def _marked(verdict: str, truth: str) -> str:
    if is_missed(verdict, truth):
        return f"{verdict} (missed)"
    return f"{verdict} (false alarm)" if is_false_alarm(verdict, truth) else verdict


def _print(title: str, table: Sequence[Row]) -> None:
    print(f"\n{title:58} {'truth':16} " + " ".join(f"{name:20}" for name in COLUMNS).rstrip())
    for row in table:
        print(row.line())


def _print_counts(title: str, table: Sequence[Row]) -> None:
    wrong = sum(row.truth != "ok" for row in table)
    print(f"\n{title}: {wrong} with a bug, {len(table) - wrong} without")
    for column, name in enumerate(COLUMNS):
        missed = sum(is_missed(row.verdicts[column], row.truth) for row in table)
        alarms = sum(is_false_alarm(row.verdicts[column], row.truth) for row in table)
        print(f"  {name:12} {missed:3} missed {alarms:3} false alarms")


def main() -> None:
    # Before jax is imported: some cases are about several devices.
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={DEVICES}"
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    from tests.corpus.cases import cases

    keys = [*cases("key-reuse"), *cases("shared-noise")]
    of_jax = [each for each in keys if each.path.stem.startswith("of_jax")]
    ours = [each for each in keys if each not in of_jax]

    every = list(kinds.kinds())
    answer = [kinds.of_jax(kind) for kind in every]
    table = rows([*of_jax, *ours])
    parts = {"Cases of JAX's own tests": table[: len(of_jax)], "Cases of ours": table[len(of_jax) :]}
    for title, part in parts.items():
        _print(title, part)
    for title, part in parts.items():
        _print_counts(title, part)
    _print_kinds([(kind, kinds.rows(kind, answers)) for kind, answers in zip(every, answer, strict=True)])


def _print_kinds(tables: Sequence[tuple[kinds.Kind, list[kinds.Row]]]) -> None:
    print(f"\n{'kind':14} {'program':58} {'truth':7} {'JAX flag':22} ours")
    for _, table in tables:
        for row in table:
            print(row.line())
    print(f"\n{'':28} {'ours':>21} {'JAX flag':>21}\n{kinds.HEAD}")
    for kind, table in tables:
        print(kinds.counts(kind, table))


if __name__ == "__main__":
    main()
