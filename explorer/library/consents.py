"""Programs from elsewhere that the user agreed to run: by their content, not their path."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from explorer.library import own_file, paths
from explorer.library.folder import is_scenario_folder
from explorer.scenario.scenario import Scenario

MOST = 1000
"""Agreements that are kept, the last ones."""
Files = Mapping[str, bytes]
"""The content of each file of a program, by name."""


def files_of(scenario: Scenario) -> Files:
    """Return the files that a run of `scenario` may use, as they were read: what the user sees and agrees to."""
    path = Path(scenario.id)
    code = {Path(scenario.path).name: scenario.source.encode(errors="surrogatepass")}
    # Its code may import the files next to it.
    return {**_files_in(path), **code} if is_scenario_folder(path) else code


def _files_in(folder: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*.py")):
        with contextlib.suppress(own_file.Unreadable):
            content = own_file.read_bytes(path)
            if content is not None:
                found[path.relative_to(folder).as_posix()] = content
    return found


class Consents:
    """Agreements by the hash of the files. Without `on_disk` they live as long as the process."""

    def __init__(self, *, on_disk: bool) -> None:
        self._on_disk = on_disk
        self._agreed: dict[str, None] | None = None

    def has(self, files: Files) -> bool:
        """Return whether the user agreed to run exactly these `files`."""
        return _hash(files) in self._known()

    def add(self, files: Files) -> None:
        """Remember that the user agreed to run `files`."""
        known = self._known()
        known[_hash(files)] = None
        if self._on_disk:
            # A disk that is full means one more question.
            with contextlib.suppress(OSError):
                content = msgspec.json.encode(list(known)[-MOST:])
                own_file.write_atomically(paths.consents_file(), content, private=True)

    def _known(self) -> dict[str, None]:
        if self._agreed is None:
            found = own_file.read_record(paths.consents_file(), list[str]) if self._on_disk else None
            self._agreed = dict.fromkeys(found or ())
        return self._agreed


def _hash(files: Files) -> str:
    parts = (part for name in sorted(files) for part in (name.encode(errors="surrogatepass"), files[name]))
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
