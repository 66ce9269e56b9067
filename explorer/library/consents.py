"""Programs from elsewhere that the user agreed to run: by their content, not their path."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import msgspec

from explorer.library import lesson_file, own_file, paths
from explorer.library.folder import is_scenario_folder
from explorer.scenario.scenario import Scenario

MOST = 1000
"""Agreements that are kept, the last ones."""


class Consents:
    """Agreements by the hash of the code. Without `on_disk` they live as long as the process."""

    def __init__(self, *, on_disk: bool) -> None:
        self._on_disk = on_disk
        self._agreed: dict[str, None] | None = None

    def has(self, scenario: Scenario) -> bool:
        """Return whether the user agreed to run exactly this code."""
        return _hash(scenario) in self._known()

    def add(self, *scenarios: Scenario) -> None:
        """Remember that the user agreed to run the code of each of `scenarios`."""
        known = self._known()
        known.update(dict.fromkeys(map(_hash, scenarios)))
        if self._on_disk:
            # A disk that is full means one more question.
            with contextlib.suppress(OSError):
                content = msgspec.json.encode(list(known)[-MOST:])
                paths.write_atomically(paths.consents_file(), content, private=True)

    def _known(self) -> dict[str, None]:
        if self._agreed is None:
            found = own_file.read_record(paths.consents_file(), list[str]) if self._on_disk else None
            self._agreed = dict.fromkeys(found or ())
        return self._agreed


def _hash(scenario: Scenario) -> str:
    path = Path(scenario.id)
    content = scenario.source.encode(errors="surrogatepass")
    with contextlib.suppress(own_file.Unreadable, OSError):
        if lesson_file.is_lesson_file(scenario.id):
            content = own_file.read_bytes(path) or b""
        elif is_scenario_folder(path):
            # Its code may import the files next to it.
            files = (own_file.read_bytes(each) or b"" for each in sorted(path.rglob("*.py")))
            content = b"\0".join((content, *files))
    return hashlib.sha256(content).hexdigest()
