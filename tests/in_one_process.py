"""The groups of tests that pytest-xdist keeps in one process: of a file, of a lesson, of a kind of the corpus.

All tests with lessons' code are one group.

The next test of the same process reuses a worker's answers, module fixtures and JAX's compilations. The groups come
from the names of the tests: the marks of pytest-xdist 3.8 have no effect from pytest 9.2 on.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling
    from xdist.workermanage import WorkerController

_OF_A_LESSON = re.compile(r"tests/scenarios/test_(?:lessons|questions)\.py::\w+\[(\w+)\]")
_OF_A_KIND = re.compile(r"tests/corpus/test_corpus\.py::\w+\[([\w-]+).*\]")
_CODE = re.compile(r"tests/scenarios/test_(?:scenarios|claims)\.py::")
CODE_OF_LESSONS = "the code of the lessons"
SHARES = 8
"""The number of groups of lessons: the window that reads them is made once for each group."""
LONGEST = (CODE_OF_LESSONS, "tests/whole/test_window.py", "tests/window/test_commands.py")
"""They begin first, so that no process waits for another at the end."""


def group(test: str) -> str:
    """Return the name of the group of a test, by its node id."""
    if lesson := _OF_A_LESSON.fullmatch(test):
        return f"share {zlib.crc32(lesson[1].encode()) % SHARES} of the lessons"
    if kind := _OF_A_KIND.fullmatch(test):
        return f"the corpus of {kind[1].replace('-', '_')}"
    return CODE_OF_LESSONS if _CODE.match(test) else test.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Keep the groups together, unless another distribution was asked for."""
    if config.getvalue("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

        def _assign_work_unit(self, node: WorkerController) -> None:
            if config.getvalue("loadscopereorder") and (long := [each for each in LONGEST if each in self.workqueue]):
                self.workqueue.move_to_end(long[0], last=False)
            super()._assign_work_unit(node)

    return Groups(config, log)
