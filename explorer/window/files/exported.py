"""Pictures and data of what the window shows, as files; works without a screen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from PySide6.QtCore import QElapsedTimer, QSignalBlocker, QSize
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from explorer.figures.json_records import finding_record
from explorer.figures.lens_json import lens_record
from explorer.figures.timing_csv import timing_csv
from explorer.library import paths
from explorer.messages import Report
from explorer.session.session import Session
from views.keys.key_view import KeyView
from views.noise.noise_view import NoiseView
from views.program.program_view import ProgramView
from views.timing.timing_view import TimingView
from views.window.main_window import MainWindow
from views.window.pane import Pane, PaneBody

PICTURES = {"window.png": None, "keys.png": KeyView, "noise.png": NoiseView, "timing.png": TimingView}
FOLDED = QSize(900, 600)
"""Of the picture of a view that has no place in the window now."""
WAIT_MS = 180_000
NO_NAME = re.compile(r"\W+")
"""What of the name of a variant cannot stand in that of a file."""
View = TypeVar("View", bound=QWidget)


def write(folder: Path, window: MainWindow, session: Session) -> tuple[Path, ...]:
    """Write what `window` shows into `folder` and return the files. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    # The window first: to draw what is folded moves what is there, for a moment.
    for name, kind in PICTURES.items():
        picture = _picture(_view(window, kind) if kind else window)
        if not picture.save(str(folder / name), "PNG"):
            raise OSError(f"{folder / name} could not be written")
    contents = {
        **_through_lens(window, session),
        "keys.svg": _view(window, KeyView).svg(),
        "timing.csv": timing_csv(session.timings.measurements, _view(window, TimingView).about().columns).encode(),
        "jaxpr.txt": _programs(session).encode(),
        "findings.json": msgspec.json.format(msgspec.json.encode(_findings(session)), indent=2) + b"\n",
    }
    for name, content in contents.items():
        paths.write_atomically(folder / name, content)
    plots = _view(window, TimingView).pictures() if session.timings.measurements else {}
    for name, plot in plots.items():
        if not plot.save(str(folder / name), "PNG"):
            raise OSError(f"{folder / name} could not be written")
    return tuple(folder / name for name in (*contents, *PICTURES, *plots))


def write_lenses(
    folder: Path, application: QApplication, window: MainWindow, session: Session, interrupts: Sequence[int]
) -> tuple[Path, ...]:
    """Look through each lens that is offered, write what it shows and return the files.

    Raises OSError, and KeyboardInterrupt as soon as there is one of the `interrupts`.
    """
    contents: dict[str, bytes] = {}
    offered = dict.fromkeys(name for report in _reports(session) for name in report.lenses)
    for lens in offered:
        _view(window, ProgramView).look_through(lens)
        wait_until_done(application, session, interrupts)
        contents |= _through_lens(window, session)
    for name, content in contents.items():
        paths.write_atomically(folder / name, content)
    return tuple(folder / name for name in contents)


def wait_until_done(application: QApplication, session: Session, interrupts: Sequence[int]) -> bool:
    """Let `session` work until nothing runs or waits; return whether that came within WAIT_MS.

    Raises KeyboardInterrupt as soon as there is one of the `interrupts`.
    """
    clock = QElapsedTimer()
    clock.start()
    while session.busy or session.snapshot is None or not session.snapshot.complete:
        application.processEvents()
        if interrupts:
            raise KeyboardInterrupt
        if clock.elapsed() > WAIT_MS:
            return False
    application.processEvents()
    return True


def _picture(view: QWidget) -> QPixmap:
    """Return what `view` shows, also one that is folded or covered: at a size that it would have alone."""
    body = view.parentWidget()
    pane = body.parentWidget() if body is not None else None
    if view.isVisible() or not isinstance(body, PaneBody) or not isinstance(pane, Pane):
        return view.grab()
    covered = not body.cover.isHidden()
    body.show_cover(False)
    # In its dock it would get the size that it has there.
    with QSignalBlocker(pane):
        pane.setFloating(True)
        pane.resize(FOLDED)
        picture = body.grab()
        pane.setFloating(False)
        pane.hide()
    body.show_cover(covered)
    return picture


def _view(window: MainWindow, kind: type[View]) -> View:
    found = window.findChild(kind)
    if found is None:
        raise LookupError(f"the window has no {kind.__name__}")
    return found


def _through_lens(window: MainWindow, session: Session) -> dict[str, bytes]:
    """Return the files of what is seen through a lens now; a second variant has its name behind that of the lens."""
    told = {each.variant: each for each in session.lenses}
    pictures = _view(window, ProgramView).lens_pictures()
    files = {}
    for place, (report, picture) in enumerate(zip(_reports(session), pictures, strict=False)):
        answer = told.get(report.name)
        if answer is not None and answer.lens is not None:
            stem = f"{answer.name}-{NO_NAME.sub('_', report.name)}" if place else answer.name
            record = msgspec.json.encode(lens_record(answer.lens))
            files[f"{stem}.json"] = msgspec.json.format(record, indent=2) + b"\n"
            files[f"{stem}.svg"] = picture
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
