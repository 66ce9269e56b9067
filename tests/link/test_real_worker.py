"""The real worker process, driven through the real client: its survival and its messages."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from explorer.link.client import WorkerClient
from explorer.messages import (
    EquationValue,
    FromWorker,
    Hello,
    Measurement,
    NameAnswer,
    NameQuestion,
    Printed,
    Programs,
    Request,
    Snapshot,
    TimingRequest,
    ValueRequest,
    ends_run,
)

pytestmark = pytest.mark.process
PATIENCE_MS = 60_000

PLAIN = "import os\nimport jax.numpy as jnp\ndef f():\n    print('pid', os.getpid())\n    return jnp.arange(3.0)\n"


class Driver:
    """Asks a client and waits for the end of each run."""

    def __init__(self, client: WorkerClient, qtbot: QtBot) -> None:
        self._client, self._qtbot = client, qtbot
        self.messages: list[FromWorker] = []

    def start(self, source: str, **fields: object) -> int:
        run = next(RUNS)
        fields = {"variants": ("f",), **fields}
        self._client.submit(Request(run, source, "<code>", **fields))  # type: ignore[arg-type]
        return run

    def wait(self, run: int) -> Any:
        """Return the end of the run, once it is there."""

        def end() -> FromWorker | None:
            return next((each for each in self.messages if ends_run(each) and each.run == run), None)

        self._qtbot.waitUntil(lambda: end() is not None, timeout=PATIENCE_MS)
        return end()

    def ask(self, source: str, **fields: object) -> Snapshot:
        return self.wait(self.start(source, **fields))

    def value(self, of: int, equation: int) -> EquationValue:
        run = next(RUNS)
        self._client.submit(ValueRequest(run, of, "f", equation))
        return self.wait(run)

    def stop_once_printed(self, run: int, word: str) -> Snapshot:
        self.wait_for_word(run, word)
        self._client.stop()
        return self.wait(run)

    def wait_for_word(self, run: int, word: str) -> None:
        self._qtbot.waitUntil(lambda: word in self.printed(run), timeout=PATIENCE_MS)

    def ask_name(self, source: str, line: int, column: int) -> NameAnswer:
        with self._qtbot.waitSignal(self._client.name_answered, timeout=PATIENCE_MS) as emitted:
            self._client.ask(NameQuestion(1, source, line, column, completes=True))
        return emitted.args[0]

    def printed(self, run: int) -> str:
        return "".join(each.text for each in self.messages if isinstance(each, Printed) and each.run == run)

    def pid(self) -> str:
        return self.ask(PLAIN).reports[0].printed.split()[-1]


RUNS = itertools.count(1)


@pytest.fixture(scope="module")
def client(qapp: QCoreApplication) -> Iterator[WorkerClient]:
    made = WorkerClient()
    made.start()
    yield made
    made.close()


@pytest.fixture
def driver(client: WorkerClient, qtbot: QtBot) -> Iterator[Driver]:
    made = Driver(client, qtbot)
    client.message_received.connect(made.messages.append)
    yield made
    client.message_received.disconnect(made.messages.append)


def test_a_program_that_prepares_jax_has_its_own_process_until_its_beginning_or_the_program_changes(
    driver: Driver,
) -> None:
    def printed(source: str) -> list[str]:
        return driver.ask(source).reports[0].printed.split()

    prepares = "import os\nos.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=3'\nimport jax\n"
    says = "def f():\n    print(jax.device_count(), os.getpid())\n    return jax.numpy.ones(2)\n"
    first, edited = printed(prepares + says), printed(f"{prepares}{says}\n# an edit")
    plain = printed(f"import os\nimport jax\n{says}")
    assert first == edited
    assert [first[0], plain[0]] == ["3", "1"]
    assert first[1] != plain[1]


SLOW = """import time
import jax, jax.numpy as jnp
def f():
    jax.debug.callback(lambda: time.sleep(1))
    return jnp.arange(3.0)
"""


@pytest.mark.rest
def test_the_program_text_comes_before_the_rest(driver: Driver) -> None:
    run = driver.start(SLOW)
    driver.wait(run)
    first, *_, last = [each for each in driver.messages if isinstance(each, Snapshot) and each.run == run]
    assert "iota" in first.reports[0].program.text
    assert (first.reports[0].status, last.reports[0].status) == (None, "ok")


BESIDE_A_MISTAKE = f"{PLAIN}def g():\n    return jnp.arange(3.0) + undefined\n"


@pytest.mark.parametrize(
    ("source", "emitted"),
    [(PLAIN, ["f"]), (BESIDE_A_MISTAKE, ["f"]), ("def f(:\n", []), ("raise SystemExit(3)\n", []), ("def g(): 1\n", [])],
    ids=["runs", "one fails", "cannot be read", "leaves", "is gone"],
)
def test_texts_alone_run_nothing_and_report_no_mistake(driver: Driver, source: str, emitted: list[str]) -> None:
    variants = ("f", "g") if source is BESIDE_A_MISTAKE else ("f",)
    run = driver.start(source, variants=variants, texts_only=True)
    programs = driver.wait(run).programs
    assert list(programs) == emitted
    assert all("iota" in each.text for each in programs.values())
    assert not any(isinstance(each, Printed | Snapshot) and each.run == run for each in driver.messages)


def test_code_that_is_stopped_before_its_variants_are_known_says_so(driver: Driver) -> None:
    run = driver.start("print('one')\nprint('two')\nwhile True: pass\n", variants=())
    stopped = driver.stop_once_printed(run, "one\ntwo\n")
    assert (stopped.failure.type, stopped.reports) == ("Stopped", ())
    assert str(stopped.failure.message) == "The run was stopped at line 3."


@pytest.mark.rest
def test_a_stopped_program_keeps_its_variants(driver: Driver) -> None:
    run = driver.start("def endless():\n    print('here')\n    while True: pass\ndef fine(): return 1\n", variants=())
    assert [each.name for each in driver.stop_once_printed(run, "here").variants] == ["endless", "fine"]


def test_texts_alone_can_be_given_up(driver: Driver) -> None:
    endless = driver.start("while True: pass\n", texts_only=True)
    assert driver.ask(PLAIN).reports[0].status == "ok"
    assert driver.wait(endless).programs == {}


def test_no_program_text_comes_of_a_variant_that_is_gone(driver: Driver) -> None:
    run = driver.start(PLAIN, variants=("f", "gone"))
    driver.wait(run)
    assert not any(isinstance(each, Programs) and each.run == run for each in driver.messages)


def test_a_variant_that_raises_leaves_the_others_alone(driver: Driver) -> None:
    source = (
        "import jax.numpy as jnp\ndef f():\n    return jnp.ones(2) @ jnp.ones(3)\ndef g():\n    return jnp.ones(2)\n"
    )
    bad, good = driver.ask(source, variants=("f", "g")).reports
    assert bad.status == "error"
    assert bad.failure.line == 3
    assert good.status == "ok"


def test_what_the_program_prints_cannot_disturb_the_frames(driver: Driver) -> None:
    source = (
        "import os, subprocess, sys\ndef f():\n    os.write(1, b'raw bytes')\n    print('to stdout')\n"
        "    print('to stderr', file=sys.stderr)\n"
        "    subprocess.run([sys.executable, '-c', 'print(1)'])\n    return 1.0\n"
    )
    (report,) = driver.ask(source).reports
    assert report.status == "ok"
    assert report.printed == "to stdout\nto stderr\n"


def test_a_flood_of_output_is_cut_and_says_so(driver: Driver) -> None:
    (report,) = driver.ask("def f():\n    for n in range(40):\n        print('x' * 100_000)\n").reports
    assert report.status == "ok"
    assert "output cut" in report.printed
    assert len(report.printed) < 1_100_000


def test_reading_the_keyboard_ends_at_once(driver: Driver) -> None:
    (report,) = driver.ask("def f():\n    return input('name? ')\n").reports
    assert report.failure.type == "EOFError"


TIDIES = "try: time.sleep(600)\n    finally: time.sleep(0.5)"
"""As slow as Python is to free what an endless comprehension has made: two seconds of it may take 0.3 s."""


@pytest.mark.parametrize(
    "body",
    ["while True: pass", "time.sleep(600)", "[n for n in iter(int, 1)]", TIDIES],
    ids=["loop", "sleep", "in C", "tidies"],
)
def test_stop_ends_an_endless_program_and_keeps_the_worker(driver: Driver, body: str) -> None:
    before = driver.pid()
    run = driver.start(f"import time\ndef f():\n    print('here', flush=True)\n    {body}\n")
    stopped = driver.stop_once_printed(run, "here")
    assert (stopped.reports[0].status, stopped.stopped_at) == ("stopped", 4)
    assert driver.pid() == before


DEAF = {
    "endless XLA loop": "jax.lax.while_loop(lambda c: c >= 0, lambda c: (c + 1) % 7, 0)",
    "swallows interrupts": "exec('while True:\\n try: time.sleep(0.01)\\n except: pass')",
}


@pytest.mark.rest
@pytest.mark.parametrize("body", DEAF.values(), ids=DEAF.keys())
def test_stop_replaces_a_worker_that_will_not_listen(driver: Driver, body: str) -> None:
    before = driver.pid()
    # The word comes from a thread, once the program is deep inside its loop.
    source = f"import jax, threading, time\ndef f():\n    threading.Timer(1.0, print, ['here']).start()\n    {body}\n"
    run = driver.start(source)
    driver.stop_once_printed(run, "here")
    assert driver.pid() != before


DEADLY = {
    "exit": ("import os; os._exit(3)", "code 3", None),
    "segmentation fault": ("import ctypes; ctypes.string_at(0)", "segmentation fault", 2),
    "abort": ("import os; os.abort()", "abort", 2),
}


@pytest.mark.parametrize(("body", "words", "line"), DEADLY.values(), ids=DEADLY.keys())
def test_a_program_that_kills_its_process_is_reported_with_its_line_and_the_next_one_runs(
    client: WorkerClient, driver: Driver, body: str, words: str, line: int | None
) -> None:
    written: list[str] = []
    client.written_to_stderr.connect(written.append)
    snapshot = driver.ask(f"def f():\n    {body}\n")
    assert words in str(snapshot.failure.message)
    assert snapshot.failure.line == line
    assert "explorer" not in "".join(written)
    assert driver.ask(PLAIN).reports[0].status == "ok"


def test_an_array_larger_than_memory_is_an_error_like_any_other(driver: Driver) -> None:
    (report,) = driver.ask("import jax.numpy as jnp\ndef f():\n    return jnp.ones((10**7, 10**7))\n").reports
    assert report.status == "error"
    assert driver.ask(PLAIN).reports[0].status == "ok"


@pytest.mark.rest
def test_virtual_cpu_devices_are_offered_and_used(client: WorkerClient, driver: Driver, qtbot: QtBot) -> None:
    client.set_cpu_devices(4)
    qtbot.waitUntil(lambda: any(isinstance(each, Hello) for each in driver.messages), timeout=PATIENCE_MS)
    (hello,) = [each for each in driver.messages if isinstance(each, Hello)]
    assert [device.id for device in hello.devices] == ["cpu:0", "cpu:1", "cpu:2", "cpu:3"]
    named = "import jax\ndef f():\n    print(jax.config.values['jax_platform_name'])\n    return jax.numpy.ones(3)\n"
    (report,) = driver.ask(named, device="cpu:2").reports
    assert report.ran_on == ("cpu:2",)
    assert report.printed == "cpu\n", "next to a GPU they would not be JAX's default devices"
    request = TimingRequest(next(RUNS), PLAIN, "<code>", "cpu:2", budget_s=0.01)
    client.submit(request)
    driver.wait(request.run)
    measured = [each for each in driver.messages if isinstance(each, Measurement) and each.final]
    assert {each.device for each in measured} == {"cpu:2"}
    assert all(each.median_s for each in measured)


@pytest.mark.rest
def test_names_are_answered_while_a_program_runs(driver: Driver) -> None:
    driver.ask("import jax.numpy as jnp\ndef f():\n    return jnp.ones(3)\n")
    run = driver.start("import time\ndef f():\n    print('runs')\n    time.sleep(60)\n")
    driver.wait_for_word(run, "runs")
    answer = driver.ask_name("import jax.numpy as jnp\njnp.cumsu", 2, 9)
    stopped = driver.stop_once_printed(run, "runs")
    assert "cumsum" in answer.names
    assert stopped.reports[0].status == "stopped"


def test_the_value_of_an_equation_of_the_newest_run_comes_on_demand(driver: Driver) -> None:
    snapshot = driver.ask("import jax.numpy as jnp\ndef f():\n    return jnp.exp(jnp.arange(3.0)) * 2\n")
    program = snapshot.reports[0].program
    place = [each.primitive for each in program.equations].index("exp")
    (picture, *_) = driver.value(snapshot.run, place).pictures
    assert picture.values.numpy().tolist() == pytest.approx([1.0, 2.71828, 7.38906], rel=1e-4)
    assert driver.value(snapshot.run - 1, place).pictures == ()


@pytest.mark.rest
def test_what_a_program_leaves_is_not_there_for_the_next_which_runs_elsewhere(driver: Driver) -> None:
    before = driver.pid()
    left = "import threading, time\ndef f():\n    threading.Thread(target=time.sleep, args=(600,)).start()\n"
    assert driver.ask(left).reports[0].status == "ok"
    counts = "import threading\nimport jax.numpy as jnp\ndef f():\n"
    counts += "    return jnp.array([isinstance(each._target, type(abs)) for each in threading.enumerate()]).sum()\n"
    (report,) = driver.ask(counts).reports
    assert [each.values.numpy().tolist() for each in report.pictures or ()] == [0]
    assert driver.pid() != before
