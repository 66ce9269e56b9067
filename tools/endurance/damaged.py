"""All files of ours damaged in one way after the other: each time a window opens, and keeps the text that it can."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from explorer.library import drafts, own_file, paths, settings
from explorer.library.consents import Consents
from explorer.library.progress import Progress
from explorer.library.settings import Settings
from tests.library.damage import FORMS, damage
from tests.library.left_behind import leave
from tools.endurance.desk import RealDesk, use
from tools.endurance.promises import Record

WAYS = 200
LESSON = "one_key_for_the_batch"
TEXT = "x = 1  # typed\n"
PROGRAM = {"a.py": b"x = 1"}


def run(record: Record, most: int = sys.maxsize) -> None:
    """Open a window for each of `WAYS`, with each file damaged in another of them, and in the end in all."""
    chance = random.Random(record.seed)
    while record.goes_on(min(most, WAYS)):
        record.begin("")
        with tempfile.TemporaryDirectory() as name:
            use(Path(name))
            first = record.runs - 1
            ways = [
                f"{file.name}: {_damaged(file, chance, (first + 7 * n) % WAYS)}" for n, file in enumerate(write_all())
            ]
            _open(record, Path(name), "\n".join(ways))


def write_all() -> list[Path]:
    """Write every kind of file of ours, as windows do, and return those to damage; the draft of `LESSON` is not."""
    settings.save(Settings(theme="dark", tour_seen=True, recent=("/a.py",), last_target=LESSON))
    progress = Progress(on_disk=True)
    progress.tick(LESSON, 0)
    progress.keep()
    Consents(on_disk=True).add(PROGRAM)
    leave("another", "y = 2\n")
    (draft,) = paths.drafts_folder().rglob("*.draft")
    leave(LESSON, TEXT)
    # A window that was killed.
    position = paths.drafts_folder() / "1-a" / drafts.POSITION
    own_file.write_atomically(position, b'{"target": "another", "place": 1}', private=True)
    return [paths.settings_file(), paths.progress_file(), paths.consents_file(), draft, position]


def _open(record: Record, folder: Path, ways: str) -> None:
    """Open a window, take the draft, type, and close it."""
    own_file.newly_put_aside()
    try:
        desk = RealDesk(folder, chosen=settings.load())
    except Exception as error:
        record.fail("no window", repr(error), ways, ".txt")
        raise
    text = desk.window.notice.accessibleName()
    aside = {each.name.partition(own_file.ASIDE)[0] for each in folder.rglob(f"*{own_file.ASIDE}*")}
    record.figure("files put aside at the start and not reported", 0).add(sum(each not in text for each in aside))
    record.count(f"files put aside and reported: {len(aside)}")
    for answer in ("stay", "use_draft"):
        desk.window.notice.answered.emit(answer)
    record.figure("drafts lost that were not damaged", 0).add(desk.workspace.source != TEXT)
    desk.workspace.edit(f"{TEXT}#")
    desk.workspace.keep_draft()
    Consents(on_disk=True).has(PROGRAM)
    desk.close()
    record.figure("typed text lost next to damaged files", 0).add(
        f"{TEXT}#" not in {each.source for each in drafts.left(LESSON)}
    )
    if troubles := desk.take_troubles():
        record.fail("window", troubles, ways, ".txt")
    if not isinstance(settings.load(), Settings) or settings.load() == Settings():
        record.fail("settings", "those of the window are not there after it was closed", ways, ".txt")


def _damaged(path: Path, chance: random.Random, number: int) -> str:
    """Damage the file at `path` in the `number`-th way, of any number of them; return its name."""
    content = path.read_bytes()
    if number < len(FORMS):
        damage(path, FORMS[number])
        return FORMS[number]
    if number < len(FORMS) + 10:
        tenths = number - len(FORMS)
        path.write_bytes(content[: len(content) * tenths // 10])
        return f"cut after {tenths} tenths"
    flipped = bytearray(content)
    places = [chance.randrange(len(content)) for _ in range(chance.randrange(1, 4))]
    for each in places:
        flipped[each] ^= chance.randrange(1, 256)
    path.write_bytes(flipped)
    return f"bytes {places} changed"
