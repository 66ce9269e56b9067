from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from explorer.commands.programs import wire
from explorer.link.client import WorkerClient
from explorer.link.family import LOST_LINK
from explorer.link.pipe import WorkerEnded, WorkerPipe
from explorer.link.process import WorkerProcess
from explorer.link.remotes.remote import HERE, Remote
from explorer.link.remotes.start import SSH_FAILED
from explorer.link.state import WorkerState
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
    frames,
)
from tests.link.fake_worker import GARBAGE

FAKE = (sys.executable, str(Path(__file__).with_name("fake_worker.py")))


class Ear:
    """Records the signals of a client."""

    def __init__(self, client: WorkerClient) -> None:
        self.messages: list[FromWorker] = []
        self.states: list[str] = []
        self.emitted: list[str] = []
        client.message_received.connect(self.messages.append)
        client.state_changed.connect(self._on_state)

    def _on_state(self, state: object) -> None:
        self.states.append(getattr(state, "name", ""))
        self.emitted += [getattr(state, "sentence", "")] if getattr(state, "sentence", "") else []

    def ended(self, run: int) -> Programs | Snapshot | TimingDone | None:
        return next((each for each in self.messages if ends_run(each) and each.run == run), None)

    def pid(self, run: int) -> str:
        return next(each.text for each in self.messages if isinstance(each, Printed) and each.run == run).split()[-1]


@pytest.fixture
def client(qtbot: QtBot) -> Iterator[WorkerClient]:
    made = WorkerClient(FAKE, spare=False)
    yield made
    made.close()


def request(run: int, source: str) -> Request:
    return Request(run, source, "<f>", variants=("f",))


def test_every_message_of_a_run_arrives_in_order(client: WorkerClient, qtbot: QtBot) -> None:
    ear = Ear(client)
    client.submit(request(1, "hi"))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)
    hello, printed, *snapshots = ear.messages
    assert [type(hello), type(printed), *{type(each) for each in snapshots}] == [Hello, Printed, Snapshot]
    assert ear.messages[-1] is ear.ended(1)
    assert client.running is None
    assert ear.states[-1] == "idle"


def test_of_snapshots_that_come_at_once_the_last_is_reported(client: WorkerClient, qtbot: QtBot) -> None:
    ear = Ear(client)
    client.submit(request(1, "all at once"))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)
    assert [type(message) for message in ear.messages] == [Hello, Printed, Snapshot]
    assert ear.messages[-1] is ear.ended(1)


def test_a_run_is_over_only_once_its_last_message_has_been_emitted(client: WorkerClient, qtbot: QtBot) -> None:
    emitted: list[str] = []
    client.message_received.connect(lambda message: emitted.append("end" if ends_run(message) else "part"))
    client.state_changed.connect(lambda state: emitted.append(state.name))
    client.submit(request(1, "hi"))
    qtbot.waitUntil(lambda: "idle" in emitted)
    assert emitted[-2:] == ["end", "idle"]
    emitted.clear()

    def ask_again(message: FromWorker) -> None:
        if ends_run(message) and message.run == 2:
            client.submit(request(3, "hi"))

    client.message_received.connect(ask_again)
    client.submit(request(2, "hi"))
    qtbot.waitUntil(lambda: emitted.count("end") == 2)
    assert [each for each in emitted if each != "part"] == ["running", "end", "running", "end", "idle"]


def test_the_newest_waiting_request_wins(client: WorkerClient, qtbot: QtBot) -> None:
    ear = Ear(client)
    client.submit(request(1, "until cancelled"))
    client.submit(request(2, "never runs"))
    client.submit(request(3, "newest"))
    qtbot.waitUntil(lambda: ear.ended(3) is not None)
    assert ear.ended(1) is not None
    assert ear.ended(2) is None


def test_stop_keeps_a_worker_that_listens(client: WorkerClient, qtbot: QtBot) -> None:
    ear = Ear(client)
    client.submit(request(1, "first"))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)
    client.submit(request(2, "until cancelled"))
    client.stop()
    qtbot.waitUntil(lambda: ear.ended(2) is not None)
    client.submit(request(3, "third"))
    qtbot.waitUntil(lambda: ear.ended(3) is not None)
    assert ear.pid(1) == ear.pid(3)


def test_a_worker_that_will_not_listen_is_replaced_and_work_goes_on(client: WorkerClient, qtbot: QtBot) -> None:
    ear = Ear(client)
    client.submit(request(1, "first"))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)
    client.submit(request(2, "deaf"))
    client.stop()
    qtbot.waitUntil(lambda: ear.ended(2) is not None)
    ended = ear.ended(2)
    assert isinstance(ended, Snapshot)
    assert ended.reports[0].status == "stopped"
    client.submit(request(3, "third"))
    qtbot.waitUntil(lambda: ear.ended(3) is not None)
    assert ear.pid(1) != ear.pid(3)


@pytest.mark.parametrize("how", ["killed", "restarted"])
def test_what_is_asked_for_at_the_end_of_a_run_goes_to_the_process_that_takes_over(
    client: WorkerClient, qtbot: QtBot, how: str
) -> None:
    ear = Ear(client)
    client.submit(request(1, "first"))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)

    def ask_on(message: FromWorker) -> None:
        if ends_run(message) and message.run == 2:
            client.submit(request(3, "third"))

    client.message_received.connect(ask_on)
    client.submit(request(2, "deaf"))
    if how == "killed":
        client.stop()
    else:
        client.restart()
    qtbot.waitUntil(lambda: ear.ended(3) is not None)
    qtbot.waitUntil(lambda: len(client.findChildren(WorkerProcess)) == 1)
    assert client.running is None


@pytest.mark.parametrize(
    ("source", "words"),
    [("crash", "an abort"), ("exit", "code 7"), *((each, "could not be read") for each in GARBAGE)],
)
def test_a_death_is_reported_in_words_and_the_next_request_runs(
    client: WorkerClient, qtbot: QtBot, source: str, words: str
) -> None:
    ear = Ear(client)
    client.submit(request(1, source))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)
    ended = ear.ended(1)
    assert isinstance(ended, Snapshot)
    assert ended.failure is not None
    assert words in str(ended.failure.message)
    client.submit(request(2, "next"))
    qtbot.waitUntil(lambda: ear.ended(2) is not None)


@pytest.mark.rest
@pytest.mark.parametrize("source", GARBAGE)
def test_bytes_that_are_no_message_end_a_command_with_a_sentence(source: str) -> None:
    with WorkerPipe(Remote("lab", (*FAKE, "--linked"))) as worker:
        worker.hello()
        with pytest.raises(WorkerEnded, match="could not be read"):
            list(worker.ask(request(1, source)))


@pytest.mark.parametrize("body", [GARBAGE[each] for each in GARBAGE if each != "another kind"])
def test_bytes_that_are_no_message_are_one_kind_of_error_for_run_too(body: bytes) -> None:
    for read in (wire.read_here, wire.read_there):
        with pytest.raises(frames.FrameError):
            read(BytesIO(body))


def test_a_worker_that_dies_at_start_is_not_started_again_and_says_why(qtbot: QtBot) -> None:
    client = WorkerClient((*FAKE, "--die-at-start"), spare=False)
    ear = Ear(client)
    client.submit(request(1, "never"))
    qtbot.waitUntil(lambda: client.state.name == "dead")
    assert "ImportError: no jax here" in str(client.state.sentence)
    assert ear.states == ["starting", "dead"]
    ended = ear.ended(1)
    assert isinstance(ended, Snapshot)
    assert ended.failure is not None
    client.close()


def test_a_death_at_start_answers_the_newest_request(qtbot: QtBot) -> None:
    client = WorkerClient((*FAKE, "--die-at-start"), spare=False)
    ear = Ear(client)
    client.submit(request(1, "typed first"))
    client.submit(request(2, "typed later"))
    qtbot.waitUntil(lambda: client.state.name == "dead")
    ended = ear.ended(2)
    assert isinstance(ended, Snapshot)
    assert ended.failure is not None
    client.close()


# The second fails before `start` returns, as where the system has no process or pipe left to give.
@pytest.mark.parametrize("program", ["no-such-program-anywhere", ""])
def test_a_missing_command_is_reported(program: str, qtbot: QtBot) -> None:
    client = WorkerClient((program,), spare=False)
    client.start()
    qtbot.waitUntil(lambda: client.state.name == "dead")
    assert "did not start" in str(client.state.sentence)
    client.close()


@pytest.mark.rest
def test_the_spare_takes_over_from_a_killed_worker(qtbot: QtBot) -> None:
    client = WorkerClient(FAKE)
    ear = Ear(client)
    client.submit(request(1, "first"))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)
    qtbot.waitUntil(lambda: client.has_spare)
    client.submit(request(2, "crash"))
    qtbot.waitUntil(lambda: ear.ended(2) is not None)
    assert not client.has_spare
    client.submit(request(3, "third"))
    qtbot.waitUntil(lambda: ear.ended(3) is not None)
    client.close()


def test_an_edit_cancels_a_timing_run(client: WorkerClient, qtbot: QtBot) -> None:
    ear = Ear(client)
    client.submit(TimingRequest(1, "", "<f>"))
    client.submit(request(2, "edited"))
    qtbot.waitUntil(lambda: ear.ended(2) is not None)
    assert isinstance(ear.ended(1), TimingDone)


def test_changing_the_number_of_cpu_devices_restarts_the_worker(client: WorkerClient, qtbot: QtBot) -> None:
    ear = Ear(client)
    client.submit(request(1, "one"))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)
    client.set_cpu_devices(4)
    client.submit(request(2, "four"))
    qtbot.waitUntil(lambda: ear.ended(2) is not None)
    assert ear.pid(1) != ear.pid(2)


def test_a_question_about_a_name_is_answered_independently_of_the_run(client: WorkerClient, qtbot: QtBot) -> None:
    client.start()
    qtbot.waitUntil(lambda: client.state.name == "idle")
    with qtbot.waitSignal(client.name_answered) as emitted:
        client.ask(NameQuestion(3, "x", 1, 0, completes=False))
    assert emitted.args == [NameAnswer(3, title="x")]
    assert client.state.name == "idle"


def test_texts_that_end_the_worker_are_no_news_and_the_next_request_runs(client: WorkerClient, qtbot: QtBot) -> None:
    ear = Ear(client)
    client.submit(request(1, "first"))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)
    client.submit(msgspec.structs.replace(request(2, "crash"), texts_only=True))
    assert "running" not in ear.states[ear.states.index("idle") :]
    qtbot.waitUntil(lambda: ear.ended(2) is not None)
    assert ear.ended(2) == Programs(2, {}, last=True)
    client.submit(request(3, "next"))
    qtbot.waitUntil(lambda: ear.ended(3) is not None)


@pytest.mark.rest
@pytest.mark.parametrize("spare", [False, True])
def test_what_runs_after_a_program_that_left_something_runs_in_another_process(qtbot: QtBot, *, spare: bool) -> None:
    client = WorkerClient(FAKE, spare=spare)
    ear = Ear(client)
    client.submit(request(1, "leave a thread"))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)
    if spare:
        qtbot.waitUntil(lambda: client.has_spare)
    # About that program it still answers.
    client.submit(ValueRequest(2, 1, "f", 0))
    qtbot.waitUntil(lambda: ear.ended(2) is not None)
    assert ear.emitted == []
    client.submit(request(3, "hi"))
    qtbot.waitUntil(lambda: ear.ended(3) is not None)
    client.submit(request(4, "hi"))
    qtbot.waitUntil(lambda: ear.ended(4) is not None)
    assert ear.pid(1) != ear.pid(3) == ear.pid(4)
    (sentence,) = ear.emitted
    assert "a thread is still running" in sentence
    client.close()


def test_what_waits_for_a_program_that_leaves_something_runs_in_another_process(
    client: WorkerClient, qtbot: QtBot
) -> None:
    ear = Ear(client)
    client.submit(request(1, "leave a thread"))
    client.submit(request(2, "hi"))
    qtbot.waitUntil(lambda: ear.ended(2) is not None)
    assert ear.ended(1) is not None
    assert ear.pid(1) != ear.pid(2)


@pytest.fixture
def cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that lets a remote's next process end with the exit code in it."""
    monkeypatch.setattr("explorer.link.client.FIRST_RETRY_MS", 1)
    return tmp_path / "cut"


@pytest.mark.parametrize("code", [SSH_FAILED, LOST_LINK])
def test_a_link_that_ends_at_the_start_of_a_later_worker_is_tried_again(
    code: int, client: WorkerClient, qtbot: QtBot, cut: Path
) -> None:
    ear = Ear(client)
    client.go_to(Remote("lab", (*FAKE, str(cut), "--linked")))
    qtbot.waitUntil(lambda: client.state.name == "idle")
    cut.write_text(f"{code}", "ascii")
    client.restart()
    qtbot.waitUntil(lambda: client.state.name == "idle" and "away" in ear.states)
    assert "dead" not in ear.states


@pytest.mark.parametrize(("meanwhile", "runs"), [("nothing", [1]), ("edit", [2]), ("restart", [1]), ("go", [1])])
def test_the_newest_request_runs_once_a_link_is_back_and_no_other(
    meanwhile: str, runs: list[int], client: WorkerClient, qtbot: QtBot, cut: Path
) -> None:
    ear = Ear(client)

    def on_state(state: WorkerState) -> None:
        if state.name == "away":
            {
                "nothing": lambda: None,
                "edit": lambda: client.submit(request(2, "newer")),
                "restart": client.restart,
                "go": lambda: client.go_to(HERE),
            }[meanwhile]()

    client.state_changed.connect(on_state)
    client.go_to(Remote("lab", (*FAKE, str(cut), "--linked")))
    qtbot.waitUntil(lambda: client.state.name == "idle")
    cut.write_text(f"{SSH_FAILED}", "ascii")
    client.submit(request(1, "cut once"))
    qtbot.waitUntil(lambda: client.state.name == "idle" and "away" in ear.states)
    assert [each.run for each in ear.messages if isinstance(each, Printed)] == runs
    assert (client.awaited, ear.states.count("away")) == (None, 1)


@pytest.mark.parametrize("when", ["idle", "running", "dead"])
def test_a_restart_gives_a_new_process_and_loses_nothing(client: WorkerClient, qtbot: QtBot, when: str) -> None:
    ear = Ear(client)
    client.submit(request(1, "crash" if when == "dead" else "hi"))
    qtbot.waitUntil(lambda: ear.ended(1) is not None)
    if when == "running":
        client.submit(request(2, "deaf"))
    client.restart()
    assert [str(each) for each in ear.emitted] == ["The worker was restarted."]
    if when == "running":
        ended = ear.ended(2)
        assert isinstance(ended, Snapshot)
        assert ended.reports[0].status == "stopped"
    qtbot.waitUntil(lambda: client.state.name == "idle")
    client.submit(request(3, "hi"))
    qtbot.waitUntil(lambda: ear.ended(3) is not None)
    if when != "dead":
        assert ear.pid(1) != ear.pid(3)


def test_a_worker_that_did_not_start_can_be_restarted(qtbot: QtBot) -> None:
    client = WorkerClient((*FAKE, "--die-at-start"), spare=False)
    client.start()
    qtbot.waitUntil(lambda: client.state.name == "dead")
    client.restart()
    assert client.state.name == "starting"
    qtbot.waitUntil(lambda: client.state.name == "dead")
    client.close()
