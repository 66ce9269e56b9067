"""The baseline of a suite: a file with findings that its tests had at adoption, and that fail no test.

It is written only on request: a CI run with a misspelt name should fail, and not accept everything.
"""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from explorer.commands.in_ci.problems import fingerprint
from explorer.messages import Finding, Span
from explorer.recording.in_pytest.allowances import relative

VERSION = 1
UPDATE = "--jax-keys-baseline-update"


class BadBaseline(Exception):
    """A file that cannot be read or written; the message says why."""


class Entry(msgspec.Struct, frozen=True, order=True):
    """One finding of one test; repeated findings are repeated entries."""

    test: str
    kind: str
    file: str
    """The file that uses the keys, for human readers."""
    fingerprint: str


class _File(msgspec.Struct):
    version: int
    findings: list[Entry]


class Baseline:
    """The entries of the file `path`, and those found by the tests of this run; file names are relative to `root`.

    Raises BadBaseline for an unreadable file.
    """

    def __init__(self, path: Path, root: Path, *, is_updated: bool) -> None:
        self._path, self._root, self._is_updated = path, root, is_updated
        self._entries = _read(path, may_be_missing=is_updated)
        self._of_tests = _by_test(self._entries)
        self._found: dict[str, Counter[Entry]] = {}
        self._whole: set[str] = set()
        """Tests that ran to their end: their entries without a finding are obsolete."""
        self._problem = ""

    def takes(self, test: str) -> Callable[[Finding], bool]:
        """Return a predicate for the findings of one run of `test`, in order: whether the baseline covers them."""
        found, known = Counter[Entry](), self._of_tests.get(test, Counter())
        self._found.setdefault(test, Counter())

        def passes_over(finding: Finding) -> bool:
            entry = self._entry(test, finding)
            found[entry] += 1
            # A plugin may run a test several times.
            self._found[test] |= found
            return self._is_updated or found[entry] <= known[entry]

        return passes_over

    def ran_to_its_end(self, test: str) -> None:
        """Record that `test` ran to its end."""
        self._whole.add(test)

    def _entry(self, test: str, finding: Finding) -> Entry:
        """Return the entry of a finding. It is independent of line numbers, indentation and counts."""
        ways = [("", span) for span in finding.spans] + [(place.role, place.span) for place in finding.places]
        places = [(role, relative(span.file, self._root), _code(span)) for role, span in ways]
        file = next((relative(span.file, self._root) for span in finding.all_spans), "")
        return Entry(test, finding.kind, file, fingerprint((finding.kind, places)))

    # -- several processes ----------------------------------------------------------------------

    def to_plain(self) -> dict[str, Any]:
        """Return the findings of this process's tests as plain values, for another process."""
        found = [msgspec.to_builtins(entry) for each in self._found.values() for entry in each.elements()]
        return {"tests": [*self._found], "whole": [*self._whole], "found": found}

    def add_plain(self, other: dict[str, Any]) -> None:
        """Add the findings of another process."""
        found = _by_test(Counter(msgspec.convert(other["found"], list[Entry])))
        for test in other["tests"]:
            self._found[test] = self._found.get(test, Counter()) | found.get(test, Counter())
        self._whole.update(other["whole"])

    # -- the end --------------------------------------------------------------------------------

    def write(self) -> bool:
        """Write the file if requested and tests ran; return whether that worked. Other tests keep their entries."""
        if not self._is_updated or not self._found:
            return True
        temporary = self._path.with_name(f"{self._path.name}.new")
        try:
            lines = ",\n".join(msgspec.json.encode(each).decode() for each in sorted(self._after().elements()))
            temporary.write_text(
                f'{{"version": {VERSION}, "findings": [\n{lines}\n]}}\n', encoding="utf-8", newline="\n"
            )
            temporary.replace(self._path)
        except (OSError, UnicodeError) as error:
            self._problem = f"{getattr(error, 'strerror', None) or error}"
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        return not self._problem

    def _after(self) -> Counter[Entry]:
        entries = Counter({entry: count for entry, count in self._entries.items() if entry.test not in self._whole})
        for found in self._found.values():
            entries |= found
        return entries

    def lines(self) -> Iterator[str]:
        """Yield the baseline's lines of the final summary."""
        name, after = relative(str(self._path), self._root), self._after()
        gone = (self._entries - after).total()
        if self._problem:
            yield f"baseline {name} could not be written: {self._problem}"
        elif self._is_updated and not self._found:
            yield f"baseline {name} not written: no test ran"
        elif self._is_updated:
            added = (after - self._entries).total()
            yield f"baseline {name} written: {_entries(after.total())}, {added:,} added, {gone:,} removed"
        else:
            found = sum(self._found.values(), Counter[Entry]())
            yield f"baseline {name}: {(found & self._entries).total():,} passed over"
            if gone:
                yield f"  {_entries(gone)} not found any more; to remove: {UPDATE}"
        if unseen := sum(count for entry, count in self._entries.items() if entry.test not in self._whole):
            yield f"  {_entries(unseen)} not checked: the test did not run to its end"


def _read(path: Path, *, may_be_missing: bool) -> Counter[Entry]:
    """Return the entries of a file with their counts. Raises BadBaseline."""
    if may_be_missing and not path.exists():
        if not path.parent.is_dir():
            raise BadBaseline(f"The baseline {path} cannot be written: there is no folder {path.parent}.")
        return Counter()
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_File)
    except FileNotFoundError:
        raise BadBaseline(f"There is no baseline {path}. To write it, add {UPDATE}.") from None
    except OSError as error:
        raise BadBaseline(f"The baseline {path} cannot be read: {error.strerror}.") from None
    except msgspec.DecodeError as error:
        raise BadBaseline(
            f"{path} is not a baseline: {error}. Nothing was changed. Restore it, or delete it and add {UPDATE}."
        ) from None
    if file.version != VERSION:
        raise BadBaseline(f"{path} is a baseline of version {file.version}; this JAX Explorer reads {VERSION}.")
    return Counter(file.findings)


def _by_test(entries: Mapping[Entry, int]) -> dict[str, Counter[Entry]]:
    of_tests: dict[str, Counter[Entry]] = {}
    for entry, count in entries.items():
        of_tests.setdefault(entry.test, Counter())[entry] = count
    return of_tests


def _code(span: Span) -> str:
    """Return the code lines of a span without indentation."""
    return "\n".join(each.strip() for each in linecache.getlines(span.file)[max(span.line - 1, 0) : span.end_line])


def _entries(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}"
