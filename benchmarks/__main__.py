"""Runs the benchmarks and prints a table of ratios: ``python -m benchmarks [NAME...] [--rounds N]``.

Every figure is a median over repeats in which ours and the bare program alternate, so that other load on the machine
affects both. Only the ratios are comparable between machines.

``python -m benchmarks.key_checker`` measures no time: it prints the findings and misses of JAX's own key checkers and
ours. ``python -m benchmarks.million_keys`` follows up to a million keys from the worker to the screen.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

from benchmarks import (
    checking,
    fairness,
    focus,
    hold_cases,
    lenses_calls,
    lenses_devices,
    lenses_gradient,
    lenses_vmap,
    lineage,
    live,
    memory,
    recorder,
    start_up,
    time_by_line,
    tracing_checks,
    value_checks,
)
from benchmarks.compare import Row

BENCHMARKS: dict[str, Callable[[int], Iterable[Row]]] = {
    "start_up": start_up.compare,
    "checking": checking.compare,
    "live": live.compare,
    "focus": focus.compare,
    "holds": hold_cases.compare,
    "recorder": recorder.compare,
    "value_checks": value_checks.compare,
    "lineage": lineage.compare,
    "fairness": fairness.compare,
    "tracing_checks": tracing_checks.compare,
    "lenses_calls": lenses_calls.compare,
    "lenses_devices": lenses_devices.compare,
    "lenses_gradient": lenses_gradient.compare,
    "lenses_vmap": lenses_vmap.compare,
    "memory": memory.compare,
    "time_by_line": time_by_line.compare,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(BENCHMARKS)}; all by default")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    print(f"{'what':58} {'ours':>10} {'bare':>10} {'ratio':>7} {'quartiles':>14} {'aim':>6}")
    for name in options.names or BENCHMARKS:
        for row in BENCHMARKS[name](options.rounds):
            print(row.line(), flush=True)


if __name__ == "__main__":
    main()
