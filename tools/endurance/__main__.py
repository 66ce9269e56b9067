"""Runs one kind of endurance run and prints the promises' figures; the exit code is 1 where one is broken."""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import sys
import time
import traceback
from pathlib import Path

from tools.endurance.back_row.options import add_options, grid_of
from tools.endurance.promises import Record

KINDS = ("fuzz", "kill", "hostile", "soak", "rubbish", "damaged", "faults", "remote", "same", "back_row")
PLACES = {"back_row": "back_row.grid"}
FAILURES = Path("endurance-failures")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.endurance", description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--most", type=int, default=sys.maxsize, help="how many cases, where there is time for more")
    parser.add_argument("--no-clock", action="store_true", help="say how long things took without judging that")
    parser.add_argument("--failures", type=Path, default=FAILURES, help="where failing cases are saved")
    parser.add_argument("--cases", type=Path, nargs="*", default=[], help="of hostile: files to be tried again")
    add_options(parser)
    asked = parser.parse_args()
    # Where the window itself ends by a signal, what it was doing is reported.
    faulthandler.enable()
    record = Record(asked.kind, asked.seed, asked.minutes, asked.failures.absolute())
    record.cases = [each.absolute() for each in asked.cases]
    record.grid = grid_of(asked)
    try:
        importlib.import_module(f"tools.endurance.{PLACES.get(asked.kind, asked.kind)}").run(record, asked.most)
    except KeyboardInterrupt:
        record.count("interrupted")
    except Exception:
        # The window's own hook would take it for one of its troubles.
        traceback.print_exc()
        record.fail("the run itself", "it ended early", traceback.format_exc(), ".txt")
    sys.stdout.write(f"{record}\n")
    return 0 if not record.broken and (asked.no_clock or record.in_time) else 1


if __name__ == "__main__":
    sys.exit(main())
