"""Marks forty students' files, among them every harmful one, and prints unexpected results.

``python -m tools.endurance.handed_in [--files 40] [--timeout 20]``
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.commands.handed_in import LESSON, hand_in, programs


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.endurance.handed_in", description=__doc__)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--timeout", type=float, default=20.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder, table = Path(place, "students"), Path(place, "marks", "marks.csv")
        table.parent.mkdir()
        kinds = programs(table.parent)
        found = dict(kinds)
        while len(found) < asked.files:
            kind = ("as_it_was", "fixed", "fixed_and_maps_one_key")[len(found) % 3]
            found[f"student_{len(found)}"] = kinds[kind]
        hand_in(folder, found)
        command = [sys.executable, "-m", "explorer", "check", str(folder), "--lesson", LESSON, "--csv", str(table)]
        begin = time.monotonic()
        done = subprocess.run(
            [*command, "--timeout", f"{asked.timeout:g}"], capture_output=True, text=True, check=False
        )
        took = time.monotonic() - begin
        with table.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
        there = sorted(each.stem for each in folder.iterdir())
    wanted = [[name + ".py", *found[name][1]] for name in sorted(found, key=lambda each: each + ".py")]
    wrong = [(row, want) for row, want in zip(rows, wanted, strict=True) if _lasting(row[:-1]) != _lasting(want)]
    sys.stdout.write(f"{done.stdout}{done.stderr}")
    sys.stdout.write(f"{len(rows)} lines in {took:.0f} s, exit code {done.returncode}, files kept: {len(there)}\n")
    for row, want in wrong:
        sys.stdout.write(f"WRONG {row}\nwanted {want}\n")
    return 1 if wrong or there != sorted(found) else 0


def _lasting(cells: list[str]) -> list[str]:
    """Return a line without its varying parts: the position in a loop when the time was over."""
    name, *marks, line, timeout = cells
    return [name.lstrip("'"), *marks, "" if timeout == "yes" else line, timeout]


if __name__ == "__main__":
    sys.exit(main())
