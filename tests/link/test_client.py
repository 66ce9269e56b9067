from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from explorer.link.client import Pulse, WorkerClient
from explorer.link.command import WorkerState
from explorer.link.family import LOST_LINK
from explorer.link.pipe import WorkerEnded, WorkerPipe
from explorer.link.process import WorkerProcess
from explorer.link.remotes.remote import HERE, Remote
from explorer.link.remotes.start import SSH_FAILED
from explorer.messages import (
    FromWorker,
    Hello,
    NameAnswer,
    NameQuestion,
    Printed,
    Programs,
    Request,
    Snapshot,
    TimingDone,
    TimingRequest,
    ValueRequest,
    ends_run,
)
from tests.link.fake_worker import GARBAGE

FAKE = (sys.executable, str(Path(__file__).with_name("fake_worker.py")))


class Ear:
    """Records the signals of a client."""

    def __init__(self, client: WorkerClient, qtbot: QtBot) -> None:
        self.client, self.until = client, qtbot.waitUntil
        self.messages: list[FromWorker] = []
        self.states: list[str] = []
        self.emitted: list[str] = []
        client.message_received.connect(self.messages.append)
        client.state_changed.connect(self._on_state)

    def _on_state(self, state: object) -> None:
        self.states.append(getattr(state, "name", ""))
        self.emitted += [getattr(state, "sentence", "")] if getattr(state, "sentence", "") else []

    def submit(self, run: int, source: str) -> None:
        self.client.submit(request(run, source))

    def run(self, run: int, source: str) -> None:
        """Let the client run `source`, and wait for its end."""
        self.submit(run, source)
        self.wait(run)

    def wait(self, run: int) -> Any:
        """Return the end of the run, once it is there."""
        self.until(lambda: self.ended(run) is not None)
        return self.ended(run)

    def wait_for(self, state: str) -> None:
        self.until(lambda: self.client.state.name == state)

    def ended(self, run: int) -> Programs | Snapshot | TimingDone | None:
        return next((each for each in self.messages if ends_run(each) and each.run == run), None)

    def pid(self, run: int) -> str:
        return next(each.text for each in self.messages if isinstance(each, Printed) and each.run == run).split()[-1]


@pytest.fixture
def ear(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[Ear]:
    """Listens to a client of the fake worker without a spare, or of a given command."""
    command, spare = getattr(request, "param", (FAKE, False))
    client = WorkerClient(command, spare=spare)
    yield Ear(client, qtbot)
    client.close()


def request(run: int, source: str) -> Request:
    return Request(run, source, "<f>", variants=("f",))


def ask_on(ear: Ear) -> None:
    """Let there be a third request at the end of the second run."""

    def ask(message: FromWorker) -> None:
        if ends_run(message) and message.run == 2:
            ear.submit(3, "third")

    ear.client.message_received.connect(ask)


def test_every_message_of_a_run_arrives_in_order(ear: Ear) -> None:
    ear.run(1, "hi")
    hello, printed, *snapshots = ear.messages
    assert [type(hello), type(printed), *{type(each) for each in snapshots}] == [Hello, Printed, Snapshot]
    assert ear.messages[-1] is ear.ended(1)
    assert ear.client.running is None
    assert ear.states[-1] == "idle"


def test_of_snapshots_that_come_at_once_the_last_is_reported(ear: Ear) -> None:
    ear.run(1, "all at once")
    assert [type(message) for message in ear.messages] == [Hello, Printed, Snapshot]
    assert ear.messages[-1] is ear.ended(1)


def test_a_run_is_over_only_once_its_last_message_has_been_emitted(ear: Ear) -> None:
    emitted: list[str] = []
    ear.client.message_received.connect(lambda message: emitted.append("end" if ends_run(message) else "part"))
    ear.client.state_changed.connect(lambda state: emitted.append(state.name))
    ear.submit(1, "hi")
    ear.until(lambda: "idle" in emitted)
    assert emitted[-2:] == ["end", "idle"]
    emitted.clear()
    ask_on(ear)
    ear.submit(2, "hi")
    ear.until(lambda: emitted.count("end") == 2)
    assert [each for each in emitted if each != "part"] == ["running", "end", "running", "end", "idle"]


def test_the_newest_waiting_request_wins(ear: Ear) -> None:
    ear.submit(1, "until cancelled")
    ear.submit(2, "never runs")
    ear.run(3, "newest")
    assert ear.ended(1) is not None
    assert ear.ended(2) is None


def test_a_worker_that_will_not_listen_is_replaced_and_work_goes_on(ear: Ear) -> None:
    ear.run(1, "first")
    ear.submit(2, "deaf")
    ear.client.stop()
    assert ear.wait(2).reports[0].status == "stopped"
    ear.run(3, "third")
    assert ear.pid(1) != ear.pid(3)


@pytest.mark.parametrize("how", ["killed", "restarted"])
def test_what_is_asked_for_at_the_end_of_a_run_goes_to_the_process_that_takes_over(ear: Ear, how: str) -> None:
    ear.run(1, "first")
    ask_on(ear)
    ear.submit(2, "deaf")
    (ear.client.stop if how == "killed" else ear.client.restart)()
    ear.wait(3)
    ear.until(lambda: len(ear.client.findChildren(WorkerProcess)) == 1)
    assert ear.client.running is None


@pytest.mark.parametrize(
    ("source", "words"),
    [("crash", "an abort"), ("exit", "code 7"), *((each, "could not be read") for each in GARBAGE)],
)
def test_a_death_is_reported_in_words_and_the_next_request_runs(ear: Ear, source: str, words: str) -> None:
    ear.run(1, source)
    assert words in str(ear.ended(1).failure.message)
    ear.run(2, "next")


@pytest.mark.rest
def test_bytes_that_are_no_message_end_a_command_with_a_sentence() -> None:
    with WorkerPipe(Remote("lab", (*FAKE, "--linked"))) as worker:
        worker.hello()
        with pytest.raises(WorkerEnded, match="could not be read"):
            list(worker.ask(request(1, "no message")))


@pytest.mark.parametrize("ear", [((*FAKE, "--die-at-start"), False)], indirect=True)
def test_a_worker_that_dies_at_start_says_why_to_the_newest_request_and_starts_again_when_asked(ear: Ear) -> None:
    ear.submit(1, "typed first")
    ear.submit(2, "typed later")
    ear.wait_for("dead")
    assert "ImportError: no jax here" in str(ear.client.state.sentence)
    assert ear.states == ["starting", "dead"]
    assert ear.ended(2).failure
    ear.client.restart()
    assert ear.client.state.name == "starting"
    ear.wait_for("dead")


# The second fails before `start` returns, as where the system has no process or pipe left to give.
@pytest.mark.parametrize("ear", [(("no-such-program-anywhere",), False), (("",), False)], indirect=True)
def test_a_missing_command_is_reported(ear: Ear) -> None:
    ear.client.start()
    ear.wait_for("dead")
    assert "did not start" in str(ear.client.state.sentence)


@pytest.mark.rest
@pytest.mark.parametrize("ear", [(FAKE, True)], indirect=True)
def test_the_spare_takes_over_from_a_killed_worker(ear: Ear) -> None:
    ear.run(1, "first")
    ear.until(lambda: ear.client._spare is not None)
    ear.run(2, "crash")
    assert ear.client._spare is None
    ear.run(3, "third")


def test_an_edit_cancels_a_timing_run(ear: Ear) -> None:
    ear.client.submit(TimingRequest(1, "", "<f>"))
    ear.run(2, "edited")
    assert isinstance(ear.ended(1), TimingDone)


def test_changing_the_number_of_cpu_devices_restarts_the_worker(ear: Ear) -> None:
    ear.run(1, "one")
    ear.client.set_cpu_devices(4)
    ear.run(2, "four")
    assert ear.pid(1) != ear.pid(2)


def test_a_question_about_a_name_is_answered_independently_of_the_run(ear: Ear, qtbot: QtBot) -> None:
    ear.client.start()
    ear.wait_for("idle")
    with qtbot.waitSignal(ear.client.name_answered) as emitted:
        ear.client.ask(NameQuestion(3, "x", 1, 0, completes=False))
    assert emitted.args == [NameAnswer(3, title="x")]
    assert ear.client.state.name == "idle"


def test_texts_that_end_the_worker_are_no_news_and_the_next_request_runs(ear: Ear) -> None:
    ear.run(1, "first")
    ear.client.submit(msgspec.structs.replace(request(2, "crash"), texts_only=True))
    assert "running" not in ear.states[ear.states.index("idle") :]
    assert ear.wait(2) == Programs(2, {}, last=True)
    ear.run(3, "next")


@pytest.mark.rest
@pytest.mark.parametrize(("ear", "spare"), [((FAKE, each), each) for each in (False, True)], indirect=["ear"])
def test_what_runs_after_a_program_that_left_something_runs_in_another_process(ear: Ear, spare: bool) -> None:
    ear.run(1, "leave a thread")
    if spare:
        ear.until(lambda: ear.client._spare is not None)
    # About that program it still answers.
    ear.client.submit(ValueRequest(2, 1, "f", 0))
    ear.wait(2)
    assert ear.emitted == []
    ear.run(3, "hi")
    ear.run(4, "hi")
    assert ear.pid(1) != ear.pid(3) == ear.pid(4)
    (sentence,) = ear.emitted
    assert "a thread is still running" in sentence


def test_what_waits_for_a_program_that_leaves_something_runs_in_another_process(ear: Ear) -> None:
    ear.submit(1, "leave a thread")
    ear.run(2, "hi")
    assert ear.pid(1) != ear.pid(2)


@pytest.fixture
def cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that lets a remote's next process end with the exit code in it."""
    monkeypatch.setattr("explorer.link.client.FIRST_RETRY_MS", 1)
    return tmp_path / "cut"


@pytest.mark.parametrize("code", [SSH_FAILED, LOST_LINK])
def test_a_link_that_ends_at_the_start_of_a_later_worker_is_tried_again(code: int, ear: Ear, cut: Path) -> None:
    ear.client.go_to(Remote("lab", (*FAKE, str(cut), "--linked")))
    ear.wait_for("idle")
    cut.write_text(f"{code}", "ascii")
    ear.client.restart()
    ear.until(lambda: ear.client.state.name == "idle" and "away" in ear.states)
    assert "dead" not in ear.states


@pytest.mark.parametrize(("meanwhile", "runs"), [("nothing", [1]), ("edit", [2]), ("restart", [1]), ("go", [1])])
def test_the_newest_request_runs_once_a_link_is_back_and_no_other(
    meanwhile: str, runs: list[int], ear: Ear, cut: Path
) -> None:
    def on_state(state: WorkerState) -> None:
        if state.name == "away":
            {
                "nothing": lambda: None,
                "edit": lambda: ear.submit(2, "newer"),
                "restart": ear.client.restart,
                "go": lambda: ear.client.go_to(HERE),
            }[meanwhile]()

    ear.client.state_changed.connect(on_state)
    ear.client.go_to(Remote("lab", (*FAKE, str(cut), "--linked")))
    ear.wait_for("idle")
    cut.write_text(f"{SSH_FAILED}", "ascii")
    ear.submit(1, "cut once")
    ear.until(lambda: ear.client.state.name == "idle" and "away" in ear.states)
    assert [each.run for each in ear.messages if isinstance(each, Printed)] == runs
    assert (ear.client.awaited, ear.states.count("away")) == (None, 1)


@pytest.mark.parametrize("when", ["idle", "running", "dead"])
def test_a_restart_gives_a_new_process_and_loses_nothing(ear: Ear, when: str) -> None:
    ear.run(1, "crash" if when == "dead" else "hi")
    if when == "running":
        ear.submit(2, "deaf")
    ear.client.restart()
    assert [str(each) for each in ear.emitted] == ["The worker was restarted."]
    if when == "running":
        assert ear.ended(2).reports[0].status == "stopped"
    ear.wait_for("idle")
    ear.run(3, "hi")
    if when != "dead":
        assert ear.pid(1) != ear.pid(3)


# -- a silent link -----------------------------------------------------------------------------


LAB = Remote("lab", ("ssh", "lab", "python3"))


@pytest.mark.rest
def test_a_remote_that_does_not_answer_at_first_is_reported_within_two_seconds(qtbot: QtBot) -> None:
    owner = QObject()
    beats = Pulse(owner)
    beats.follow(LAB)
    beats.wait()
    with qtbot.waitSignal(beats.silence_changed, timeout=4000) as emitted:
        pass
    assert emitted.args in ([1], [2])
    with qtbot.waitSignal(beats.silence_changed, timeout=1000) as emitted:
        beats.hear()
    assert emitted.args == [0]


def test_where_nothing_is_to_come_no_silence_is_reported(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.link.client.BEAT_MS", 5)
    monkeypatch.setattr("explorer.link.client.SILENT_S", 0.0)
    owner = QObject()
    beats, emitted = Pulse(owner), list[int]()
    beats.silence_changed.connect(emitted.append)
    beats.follow(LAB)
    qtbot.wait(50)
    beats.wait()
    beats.follow(HERE)
    qtbot.wait(50)
    assert emitted == []


@pytest.mark.rest
def test_the_window_says_that_it_waits_for_a_remote(ear: Ear) -> None:
    # It takes all in and answers nothing, as a host far away that is asleep.
    ear.client.go_to(Remote("lab", ("sh", "-c", "sleep 60")))
    ear.until(lambda: any("Waiting for lab" in str(each) for each in ear.emitted), timeout=4000)
