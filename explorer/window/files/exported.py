"""write(), write_lenses(): the window's pictures and data as files; wait_until_done() runs Qt until then."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QElapsedTimer, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

import views.keys.paper
import views.noise.paper
import views.timing.paper
from explorer.figures.json_records import finding_record
from explorer.figures.timing_csv import timing_csv
from explorer.library import own_file
from explorer.messages import Report
from explorer.messages.lenses import LENSES
from explorer.session.session import Session
from explorer.window.panes import view_in, why_nothing
from views.noise.noise_view import NoiseView
from views.parts.drawing import Drawing, side_by_side
from views.program.program_view import ProgramView
from views.timing.page_stack import PAGES
from views.timing.timing_view import TimingView
from views.window.main_window import MainWindow

WINDOW = "window.png"
GAP = 24
"""Pixels between the pictures of two variants."""
WAIT_MS = 180_000
WAKE_MS = 50
"""Milliseconds until a signal or the end of the wait is noticed while nothing happens in the window."""
NO_NAME = re.compile(r"\W+")
"""Characters of a variant's name that a file name cannot hold."""


class Written(NamedTuple):
    """The files written, and those left out."""

    files: tuple[Path, ...]
    left_out: tuple[str, ...] = ()
    """The reason why a pane has no picture, a sentence for each."""


def write(folder: Path, window: MainWindow, session: Session) -> Written:
    """Write the contents of `window` into `folder` and return the files. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    if not window.grab().save(str(folder / WINDOW), "PNG"):
        raise OSError(f"{folder / WINDOW} could not be written")
    drawn, left_out = _drawn(window, session)
    contents = {
        **{f"{name}.{kind}": made for name, each in drawn.items() for kind, made in _in_each_form(each).items()},
        **_through_lens(window, session),
        "jaxpr.txt": _programs(session).encode(),
        "findings.json": msgspec.json.format(msgspec.json.encode(_findings(session)), indent=2) + b"\n",
    }
    if session.timings.measurements:
        columns = view_in(window, TimingView).about().columns
        contents["timing.csv"] = timing_csv(session.timings.measurements, columns).encode()
    for name, content in contents.items():
        own_file.write_atomically(folder / name, content)
    return Written(tuple(folder / name for name in (WINDOW, *contents)), left_out)


def _drawn(window: MainWindow, session: Session) -> tuple[dict[str, Drawing], tuple[str, ...]]:
    """Return a picture of each pane that has one, by the name of its file, and why others have none."""
    snapshot, theme = session.snapshot, replace(window.theme, scale=1.0, code_size=1.0)
    if snapshot is None:
        return {}, ()
    timing = view_in(window, TimingView)
    panes = {
        "keys": views.keys.paper.drawings(snapshot, theme),
        "noise": views.noise.paper.drawings(view_in(window, NoiseView), snapshot, theme),
        "timing": views.timing.paper.drawings(timing, theme, alone=True) if timing.is_timed else (),
    }
    drawn = {pane: side_by_side(each, GAP) for pane, each in panes.items() if each}
    pages = views.timing.paper.drawings(timing, theme, alone=True, every=True) if timing.is_timed else ()
    # The open page is the picture of the pane.
    drawn |= {each.name: each.with_caption() for each in pages if each.name != f"timing-{PAGES[timing.page]}"}
    return drawn, tuple(f"{pane}: {why_nothing(pane, session)}" for pane, each in panes.items() if not each)


def _in_each_form(drawing: Drawing) -> dict[str, bytes]:
    return {"png": drawing.png(), "svg": drawing.svg()}


def write_lenses(
    folder: Path, application: QApplication, window: MainWindow, session: Session, interrupts: Sequence[int]
) -> tuple[Path, ...]:
    """Open each offered lens, write its contents and return the files. Raises OSError, and KeyboardInterrupt."""
    contents: dict[str, bytes] = {}
    offered = dict.fromkeys(name for report in _reports(session) for name in report.lenses)
    for lens in offered:
        view_in(window, ProgramView).look_through(lens)
        wait_until_done(application, session, interrupts)
        if rerun := LENSES[lens].timing:
            session.rerun_lens(rerun)
            wait_until_done(application, session, interrupts)
        contents |= _through_lens(window, session)
    for name, content in contents.items():
        own_file.write_atomically(folder / name, content)
    return tuple(folder / name for name in contents)


def wait_until_done(application: QApplication, session: Session, interrupts: Sequence[int]) -> bool:
    """Run the event loop until `session` is idle; return whether in time. Raises KeyboardInterrupt at an interrupt."""
    clock, alarm = QElapsedTimer(), QTimer()
    clock.start()
    alarm.start(WAKE_MS)
    while session.busy or session.snapshot is None or not session.snapshot.complete:
        # A loop that never sleeps would disturb the times that are being measured.
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        if interrupts:
            raise KeyboardInterrupt
        if clock.elapsed() > WAIT_MS:
            return False
    application.processEvents()
    return True


def _through_lens(window: MainWindow, session: Session) -> dict[str, bytes]:
    """Return the files of the open lens; for a second variant the file name ends in the variant's name."""
    answers = {each.variant: each for each in session.lenses}
    pictures = view_in(window, ProgramView).drawings()
    files = {}
    for place, (report, picture) in enumerate(zip(_reports(session), pictures, strict=False)):
        answer = answers.get(report.name)
        if answer is not None and answer.lens is not None:
            stem = f"{answer.name}-{NO_NAME.sub('_', report.name)}" if place else answer.name
            record = msgspec.json.encode(answer.lens.data)
            files[f"{stem}.json"] = msgspec.json.format(record, indent=2) + b"\n"
            files |= {f"{stem}.{kind}": made for kind, made in _in_each_form(picture.with_caption()).items()}
    return files


def _reports(session: Session) -> tuple[Report, ...]:
    return session.snapshot.reports if session.snapshot else ()


def _programs(session: Session) -> str:
    reports = _reports(session)
    parts = []
    for report in reports:
        text = report.program.text if report.program and not report.program.failure else "(no program text)"
        parts.append(f"# {report.name}\n{text}\n" if len(reports) > 1 else f"{text}\n")
    return "\n".join(parts)


def _findings(session: Session) -> list[dict[str, object]]:
    return [
        {"variant": report.name, **finding_record(finding, report.keys)}
        for report in _reports(session)
        for finding in report.findings or ()
    ]
