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
    if not remote.is_here:
        return _examine_remote(remote)
    found: dict[str, Any] = {
        "python": platform.python_version(),
        "system": platform.platform(),
        "packages": {name: version(name) for name in PACKAGES},
        "settings": str(paths.settings_file()),
        "drafts": str(paths.drafts_folder()),
        "my_scenarios": str(paths.my_scenarios_folder()),
        "compiled_programs": str(compiled_folder() or "not kept"),
    }
    problems = [f"The package {name} is not installed." for name in PACKAGES if not found["packages"][name]]
    found["devices"], trouble, notes = _devices()
    notes += _screen_notes()
    found["problems"] = [*problems, *filter(None, [qt_libraries.problem_seen_apart()]), *trouble]
    found["notes"] = notes
    found["ok"] = not found["problems"]
    return found


def _examine_remote(remote: Remote) -> dict[str, Any]:
    found: dict[str, Any] = {"place": remote.name, "python": "", "packages": {}, "devices": [], "notes": []}
    try:
        with WorkerPipe(remote) as worker:
            hello = worker.hello()
            found["round_trip_ms"] = float(f"{worker.round_trip_s() * 1e3:.2g}")
    except WorkerEnded as end:
        found["problems"] = [f"No worker started there: {end}."]
    else:
        found |= {"python": hello.python, "packages": {"jax": hello.jax, "jaxlib": hello.jaxlib}}
        found["devices"] = [{"id": device.id, "kind": device.kind} for device in hello.devices]
        found["notes"] = list(map(str, hello.notes))
        found["problems"] = [] if hello.devices else ["JAX has no device that works there."]
    found["ok"] = not found["problems"]
    return found


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


def _devices() -> tuple[list[dict[str, str]], list[str], list[str]]:
    """Return the devices, the problems with them, and the worker's other messages."""
    try:
        with WorkerPipe() as worker:
            hello = worker.hello()
    except WorkerEnded as end:
        return [], [f"The worker process did not start: {end}."], []
    devices = [{"id": device.id, "kind": device.kind} for device in hello.devices]
    if not devices:
        return [], ["JAX has no device that works.", *map(str, hello.notes)], []
    return devices, [], list(map(str, hello.notes))


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
