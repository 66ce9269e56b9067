"""``jax-explorer doctor``: a report on the working and missing parts of this machine. Loads no Qt."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from typing import Any

from explorer import qt_libraries
from explorer.commands.in_ci.output import version
from explorer.library import paths
from explorer.link.command import compiled_folder
from explorer.link.pipe import WorkerEnded, WorkerPipe
from explorer.link.remotes.remote import HERE, Remote
from explorer.text.languages import about, known_languages

PACKAGES = ("jax-explorer", "jax", "jaxlib", "numpy", "PySide6_Essentials", "pyqtgraph", "msgspec")
FOLDERS = ("settings", "drafts", "my_scenarios", "compiled_programs")


def examine(remote: Remote = HERE) -> dict[str, Any]:
    """Return everything that `text` shows, in JSON types: of this machine, or of `remote` and the way to it."""
    elsewhere = {"place": remote.name, "python": "", "packages": {}}
    found: dict[str, Any] = _of_this_machine() if remote.is_here else elsewhere
    problems = [f"The package {name} is not installed." for name, number in found["packages"].items() if not number]
    there = "" if remote.is_here else " there"
    notes: list[str] = []
    found["devices"] = []
    try:
        with WorkerPipe(remote) as worker:
            hello = worker.hello()
            round_trip_s = 0.0 if remote.is_here else worker.round_trip_s()
    except WorkerEnded as end:
        problems.append(f"No worker started{there}: {end}.")
    else:
        if not remote.is_here:
            found |= {"python": hello.python, "packages": {"jax": hello.jax, "jaxlib": hello.jaxlib}}
            found["round_trip_ms"] = float(f"{round_trip_s * 1e3:.2g}")
        found["devices"] = [{"id": device.id, "kind": device.kind} for device in hello.devices]
        notes += map(str, hello.notes)
        problems += [] if hello.devices else [f"JAX has no device that works{there}."]
    if remote.is_here:
        notes += _screen_notes()
        problems += filter(None, [qt_libraries.problem_seen_apart()])
    return {**found, "notes": notes, "problems": problems, "ok": not problems}


def _of_this_machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "packages": {name: version(name) for name in PACKAGES},
        "settings": str(paths.settings_file()),
        "drafts": str(paths.drafts_folder()),
        "my_scenarios": str(paths.my_scenarios_folder()),
        "compiled_programs": str(compiled_folder() or "not kept"),
    }


def text(found: dict[str, Any]) -> str:
    """Return the result of `examine` as text, a line for each item."""
    lines = [f"Python {found['python']} on {found['system']}"] if "system" in found else [f"at {found['place']}"]
    if "place" in found and found["python"]:
        lines.append(f"Python {found['python']}, {found['round_trip_ms']:g} ms round trip")
    lines += [f"{name} {number or 'is missing'}" for name, number in found["packages"].items()]
    lines += [f"device {each['id']}: {each['kind']}" for each in found["devices"]]
    lines += [f"{name.replace('_', ' ')}: {found[name]}" for name in FOLDERS if name in found]
    lines += [f"note: {note}" for note in found["notes"]]
    lines += [f"problem: {problem}" for problem in found["problems"]]
    lines.append("Everything works." if found["ok"] else "Something does not work; see the problems above.")
    return "\n".join(lines)


def _screen_notes() -> list[str]:
    if not sys.platform.startswith("linux"):
        return []
    notes = []
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        notes.append("There is no display; check, time and export work without one.")
    for code in known_languages() if shutil.which("fc-list") else ():
        language, fonts = about(code), ["fc-list", f":lang={code}"]
        if language.fonts and not subprocess.run(fonts, capture_output=True, check=False).stdout.strip():
            notes.append(f"No font covers {language.english}; it would show as boxes (Debian: {language.fonts}).")
    return notes
