"""Every size, theme and language that is asked for: a process for each size, as a screen has one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.endurance.back_row.options import Grid
from tools.endurance.promises import Record

LAPTOP = 1366, 768
"""Width and height of the lecturer's own screen."""
MOST_ROWS = 12
"""The most texts of one page that are listed one by one."""


def run(record: Record, most: int) -> None:
    """Measure every page of the first `most` lessons of the grid, and fail on each text that cannot be read."""
    grid = record.grid
    lessons = grid.lessons or tuple(sorted(each.parent.name for each in _scenarios().glob("*/scenario.toml")))
    for size in grid.sizes:
        with tempfile.TemporaryDirectory() as folder:
            _one_size(record, size, lessons[:most], grid, Path(folder))


def _scenarios() -> Path:
    import scenarios

    return Path(scenarios.__file__).parent


def _one_size(record: Record, size: str, lessons: tuple[str, ...], grid: Grid, folder: Path) -> None:
    width, height = map(int, size.split("x"))
    laptop = {"name": "laptop", "x": 0, "y": 0, "width": LAPTOP[0], "height": LAPTOP[1]}
    room = {"name": "room", "x": LAPTOP[0], "y": 0, "width": width, "height": height}
    dense = {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    config = folder / "screen.json"
    screens = [laptop | dense, room | dense]
    config.write_text(
        json.dumps({"synchronousWindowSystemEvents": False, "windowFrameMargins": False, "screens": screens})
    )
    pictures = [str(Path(grid.pictures) / size)] if grid.pictures else [""]
    command = [sys.executable, "-m", "tools.endurance.back_row.one_size", *pictures]
    command += [",".join(each) for each in (grid.themes, grid.languages, lessons)]
    command.append(str(grid.sizes.index(size)) if grid.in_turn else "")
    environment = os.environ | {"QT_QPA_PLATFORM": f"offscreen:configfile={config}"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            _tell(record, size, json.loads(line))
    if process.returncode:
        record.fail("window", f"it ended with {process.returncode} at {size}", " ".join(command), ".txt")


def _tell(record: Record, size: str, page: dict[str, object]) -> None:
    """Take the measurements of one page, and print its illegible texts."""
    if "trouble" in page:
        record.fail("trouble", str(page["trouble"]), f"{page}", ".txt")
        return
    record.runs += 1
    name = " ".join(str(page[each]) for each in ("lesson", "page", "theme", "language"))
    record.seen["texts measured"] = record.seen.get("texts measured", 0) + int(str(page["texts"]))
    under = page["under"]
    assert isinstance(under, list)
    if under:
        record.count("pages with a text that cannot be read")
    for text in under:
        for kind in text["faults"]:
            record.broken[kind] = record.broken.get(kind, 0) + 1
    for text in under[:MOST_ROWS]:
        row = f"{text['place']:5}  1/{1 / text['capital']:<5.1f}  {text['contrast']:4.1f}:1  {text['cut'] or '-':14}"
        sys.stdout.write(f"{size:9}  {name:46}  {row}  {text['words'][:60]!r}  ({text['painter']})\n")
    if len(under) > MOST_ROWS:
        sys.stdout.write(f"{size:9}  {name:46}  and {len(under) - MOST_ROWS} more\n")
    sys.stdout.flush()
