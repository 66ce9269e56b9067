"""A client that only records its requests; its answers are sent by hand instead of by a worker."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from explorer.link.command import WorkerState
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import (
    Equation,
    EquationValue,
    Focus,
    FromWorker,
    NameQuestion,
    Program,
    Programs,
    Report,
    Request,
    RunRequest,
    Snapshot,
    ValueRequest,
    Variant,
)
from explorer.scenario.scenario import Scenario, TimingPlan, VariantPlan
from explorer.scenario.texts import Texts
from explorer.session.session import Session

Asked = TypeVar("Asked", bound=RunRequest)


class Clock:
    """A clock that is moved by the test."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class Client(QObject):
    """Stands in for WorkerClient."""

    message_received = Signal(object)
    name_answered = Signal(object)
    state_changed = Signal(object)
    written_to_stderr = Signal(str)
    state = WorkerState("idle")

    def __init__(self) -> None:
        super().__init__()
        self.running: RunRequest | None = None
        self.waiting: RunRequest | None = None
        self.asked: list[RunRequest] = []
        self.asked_ahead: list[Request] = []
        self.questions: list[NameQuestion] = []
        self.stops = 0
        self.restarts = 0
        self.remote = HERE

    @property
    def awaited(self) -> RunRequest | None:
        return self.waiting or self.running

    def submit(self, request: RunRequest) -> None:
        if isinstance(request, Request) and request.texts_only:
            self.asked_ahead.append(request)
        else:
            self.asked.append(request)

    def ask(self, question: NameQuestion) -> None:
        self.questions.append(question)

    def stop(self) -> None:
        self.stops += 1

    def restart(self) -> None:
        self.restarts += 1

    def go_to(self, remote: Remote) -> None:
        self.remote = remote

    def set_cpu_devices(self, count: int) -> None:
        self.cpu_devices = count

    @property
    def request(self) -> Request:
        return [each for each in self.asked if isinstance(each, Request)][-1]

    def last(self, kind: type[Asked]) -> Asked:
        """Return the last request, which is of this kind."""
        assert isinstance(self.asked[-1], kind)
        return self.asked[-1]

    def say(self, message: FromWorker) -> None:
        self.message_received.emit(message)

    def say_ahead(self, **texts: str) -> None:
        programs = {name: Program("jaxpr", text) for name, text in texts.items()}
        self.say(Programs(self.asked_ahead[-1].run, programs, last=True))

    def run(self, session: Session, scenario: Scenario | None = None, **fields: object) -> None:
        """Let `session` open a scenario, the one of these tests unless another is given, and answer it."""
        session.workspace.open(scenario or SCENARIO)
        self.answer("bug", "fix", **fields)  # type: ignore[arg-type]

    def answer(self, *names: str, complete: bool = True, **fields: object) -> None:
        reports = tuple(Report(name, "ok") for name in names)
        fields = {"variants": tuple(Variant(name, 1) for name in ("bug", "fix")), **fields}
        self.say(Snapshot(self.request.run, "cpu:0", complete, reports=reports, **fields))  # type: ignore[arg-type]


SCENARIO = Scenario(
    "one",
    "built-in",
    "one/code.py",
    "def helper(): ...\ndef bug(): ...\ndef fix(): ...\n",
    Texts("One"),
    variants=(VariantPlan("bug", Texts("Bug")), VariantPlan("fix", Texts("Fix"), shared="on purpose")),
    timing=TimingPlan("batch", (8, 64), ("jit",)),
    compare="fix",
)


BARE = Scenario("/x/own.py", "file", "/x/own.py", "def f(): ...\n", Texts("own.py"))


PROGRAM = Program("jaxpr", "text", tuple(Equation(name, None, 0, 0, 0, "f32[]") for name in ("sin", "cos")))


def at_an_equation(session: Session, client: Client, index: int = 0) -> ValueRequest:
    session.workspace.open(SCENARIO)
    client.say(with_program(client, complete=True))
    session.choose_focus(Focus("equation", index, "bug"))
    return client.last(ValueRequest)


def with_program(client: Client, *, complete: bool) -> Snapshot:
    reports = tuple(Report(name, "ok", program=PROGRAM) for name in ("bug", "fix"))
    variants = (Variant("bug", 1), Variant("fix", 1))
    return Snapshot(client.request.run, "cpu:0", complete, reports=reports, variants=variants)


def answer(client: Client, asked: ValueRequest) -> EquationValue:
    received = EquationValue(asked.run, asked.about_run, asked.variant, asked.equation, sentence="told")
    client.say(received)
    return received
