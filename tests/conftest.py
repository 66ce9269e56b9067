"""Common to all tests: no screen, no settings of the user, no window left open."""

from __future__ import annotations

import functools
import gc
import itertools
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from explorer.link.pipe import WorkerPipe
from explorer.text.text import choose_language
from tests.in_one_process import pytest_xdist_make_scheduler
from tests.link.shared_worker import SharedWorker

if TYPE_CHECKING:
    from explorer.worker.process.compiled_programs import CompiledPrograms

__all__ = ["pytest_xdist_make_scheduler"]

# How long an example takes is not what the tests ask: a busy machine must not fail them.
settings.register_profile("quick", deadline=None, max_examples=20)
settings.register_profile("all", deadline=None, max_examples=250)
settings.load_profile("quick")
if "tests.without_qt" not in sys.modules:
    from pytestqt.qtbot import QtBot

    for name in ("waitUntil", "waitSignal", "waitSignals"):
        setattr(QtBot, name, functools.partialmethod(getattr(QtBot, name), timeout=60_000))
# What a test writes need not outlive the power of the machine, and a disk takes its time.
setattr(os, "fsync", lambda _: None)  # noqa: B010
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if "PYTEST_XDIST_WORKER" not in os.environ:
    # The workers of one session share what they compile, and nothing with the user's.
    caches = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    os.environ["LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"] = caches.name
# Hundreds of processes start: without bytecode on disk, each of them would compile all our modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# As in JAX's own tests, small programs are compiled quickly rather than well; without fusion emitters, XLA takes two
# thirds of the time, and less if it splits no program. From jaxlib 0.11.1 on, the first flag ends the process.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
if version("jaxlib").startswith("0.10."):
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1")


def pytest_collection_finish() -> None:
    """Collect garbage less often, and not among the modules: JAX's many small objects make each collection slow."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


@pytest.fixture(autouse=True, scope="module")
def shared_contexts() -> Iterator[None]:
    """Let JAX lower into one MLIR context, which keeps the constants of all: it saves 10 to 20 % of the engine."""
    if "jax" not in sys.modules:
        yield
        return
    from jax._src.interpreters import mlir

    genuine: Any = mlir.make_ir_context
    thread, shared = threading.get_ident(), functools.lru_cache(1)(lambda _: genuine())
    numbers = itertools.count()
    module: Any = mlir
    module.make_ir_context = lambda: shared(next(numbers) // 64) if threading.get_ident() == thread else genuine()
    yield
    module.make_ir_context = genuine


_numbers = itertools.count()


@pytest.fixture(scope="session")
def compiled_programs() -> CompiledPrograms:
    """What JAX has compiled in this process."""
    from explorer.worker.process.compiled_programs import CompiledPrograms

    return CompiledPrograms()


@pytest.fixture(autouse=True, scope="module")
def few_compiled_programs(request: pytest.FixtureRequest) -> None:
    """Free what JAX has compiled for earlier modules, as the worker does for earlier files: a process took 4 GB."""
    if "jax" in sys.modules:
        request.getfixturevalue("compiled_programs").free_if_many(request.node.nodeid)


@pytest.fixture(scope="session")
def worker() -> Iterator[SharedWorker]:
    """A worker that is up, with as many devices as any scenario needs."""
    with WorkerPipe(cpu_devices=4) as pipe:
        yield SharedWorker(pipe)


@pytest.fixture
def one_worker(worker: SharedWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands ask `worker` instead of starting one each time."""
    for command in ("check", "doctor", "timing"):
        monkeypatch.setattr(f"explorer.commands.{command}.WorkerPipe", lambda *_, **__: worker)


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep settings, drafts and scenarios of every test in its own folder, which exists once something is written."""
    from explorer.library import paths

    own = tmp_path_factory.getbasetemp() / f"own-{next(_numbers)}"
    for name in ("settings_file", "drafts_folder", "progress_file", "consents_file", "my_scenarios_folder"):
        place = own / name.replace("_", "-")
        monkeypatch.setattr(paths, name, lambda place=place: place)


@pytest.fixture(autouse=True)
def no_question_waits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that asks a question without an answer: it would wait forever."""
    if "qapp" not in request.fixturenames:
        return
    from PySide6.QtWidgets import QMessageBox

    def unanswered(box: QMessageBox) -> int:
        raise AssertionError(f"no one answers: {box.text()}")

    monkeypatch.setattr(QMessageBox, "exec", unanswered)


@pytest.fixture(autouse=True)
def no_window_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a top-level widget: it would crash the interpreter at its end.

    The pointer goes where no window is: what the next test lays out below it would look hovered over.
    Closed widgets are destroyed here: outside of an event loop `deleteLater` only waits, and thousands of dead widgets
    would add up. The list is made while the collector is off: one that it destroys after Qt has listed it and before
    Python has wrapped it is a crash.
    """
    yield
    if "qapp" not in request.fixturenames:
        return
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtGui import QCursor
    from PySide6.QtWidgets import QApplication

    QCursor.setPos(-10_000, -10_000)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.disable()
    try:
        left = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    finally:
        gc.enable()
    assert left == []


@pytest.fixture(autouse=True)
def english_again(request: pytest.FixtureRequest) -> Iterator[None]:
    """Take back the language that a test has chosen: the application is one for all tests."""
    yield
    choose_language("en")
    if "qapp" not in request.fixturenames:
        return
    from PySide6.QtCore import QTranslator
    from PySide6.QtWidgets import QApplication

    from explorer.window import languages

    application = QApplication.instance()
    if isinstance(application, QApplication) and application.findChildren(QTranslator):
        languages.install(application, "en")
