"""A system whose n-th call fails: a seam at each read, write, fsync, rename and folder of `own_file`."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

import pytest

from explorer.library import own_file

OF_PATHS = ("stat", "exists", "mkdir", "chmod", "replace", "rename", "unlink")
READS = ("stat", "exists", "open", "read", "fdopen", "fstat")


class Faults:
    """Lets the `nth` call fail, and with `for_good` all that follow; 0 for none.

    Attributes:
        calls: the names of the calls so far.
    """

    def __init__(self, nth: int, *, for_good: bool) -> None:
        self.calls: list[str] = []
        self._nth, self._for_good = nth, for_good

    @property
    def hit(self) -> bool:
        return 0 < self._nth <= len(self.calls)

    def around(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return `call` with its fault."""

        def faulty(*words: Any, **options: Any) -> Any:
            self.calls.append(name)
            if len(self.calls) == self._nth or (self._for_good and self.hit):
                code = errno.EIO if name in READS else errno.ENOSPC
                raise OSError(code, os.strerror(code))
            return call(*words, **options)

        return faulty

    def of_own_file(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return `call` with its fault where `own_file` calls it, and as it is for everyone else."""
        faulty = self.around(name, call)

        def chosen(*words: Any, **options: Any) -> Any:
            is_ours = sys._getframe(1).f_globals is vars(own_file)
            return (faulty if is_ours else call)(*words, **options)

        return chosen


class _File:
    """An open file with faults; a write that fails has written half."""

    def __init__(self, file: BinaryIO, faults: Faults) -> None:
        self._file = file
        self.fileno, self.read = file.fileno, faults.around("read", file.read)
        self.flush, self._write = faults.around("flush", file.flush), faults.around("write", file.write)

    def write(self, content: bytes) -> None:
        try:
            self._write(content)
        except OSError:
            self._file.write(content[: len(content) // 2])
            raise

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


@contextmanager
def faulty(nth: int, *, for_good: bool = False) -> Iterator[Faults]:
    """Give the faults that the block meets."""
    faults = Faults(nth, for_good=for_good)

    def fdopen(descriptor: int, mode: str) -> _File:
        return _File(os.fdopen(descriptor, mode), faults)  # type: ignore[arg-type]

    calls = {name: faults.around(name, getattr(os, name)) for name in ("open", "fsync", "fstat")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own_file, "os", SimpleNamespace(**{**vars(os), **calls, "fdopen": fdopen}))
        patch.setattr(own_file, "tempfile", SimpleNamespace(mkstemp=faults.around("mkstemp", tempfile.mkstemp)))
        for name in OF_PATHS:
            patch.setattr(Path, name, faults.of_own_file(name, getattr(Path, name)))
        yield faults
