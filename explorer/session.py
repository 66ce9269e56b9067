"""The one home of the window's state: what the person chose, and what came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from msgspec.structs import replace as replace_fields
from PySide6.QtCore import QObject, QTimer, Signal

from explorer import code_inputs, comparing, requests, snapshots, transforms
from explorer.controls import Activity, Controls, TimingChoice
from explorer.edits import Edits
from explorer.messages import (
    AS_IT_WAS,
    EquationValue,
    Focus,
    Form,
    FromRun,
    Hello,
    Marks,
    Parameter,
    Printed,
    Snapshot,
    TimingRequest,
    Transforms,
    Value,
    Variant,
)
from explorer.scenario import Scenario, StepPlan
from explorer.selection import Selection
from explorer.step_states import StepState, fitting, opening
from explorer.timings import Timings
from explorer.value_question import ValueQuestion
from explorer.worker_client import WorkerClient

DEBOUNCE_MS = 180
DRAFT_DELAY_MS = 600


class Session(QObject):
    """Holds the state and asks the worker for what is missing.

    Signals:
        scenario_changed: the Scenario that was opened.
        source_replaced: text that the editor must show, because we changed it and not the person.
        draft_found: a Draft of the opened scenario from an earlier run of the application.
        controls_changed, snapshot_changed, marks_changed, activity_changed: the new value.
        program_changed: the new snapshot, before all others hear of it: the program is what a person types to see.
        value_changed: the EquationValue of the selected equation, None when there is none any more.
        printed: what the program has just printed. printing_started: a new run begins, its output is empty.
        hello_received: the worker's Hello.
        problem_told: a sentence for the person about something of ours that failed.
    """

    scenario_changed = Signal(object)
    source_replaced = Signal(str)
    draft_found = Signal(object)
    controls_changed = Signal(object)
    program_changed = Signal(object)
    snapshot_changed = Signal(object)
    marks_changed = Signal(object)
    activity_changed = Signal(object)
    value_changed = Signal(object)
    printed = Signal(str)
    printing_started = Signal()
    hello_received = Signal(object)
    problem_told = Signal(str)

    def __init__(self, client: WorkerClient, *, time_automatically: bool = True, keeps_drafts: bool = True) -> None:
        super().__init__()
        self._client = client
        self._runs = 0
        self._asked = 0
        """Number of the newest Request."""
        self.hello: Hello | None = None
        """What the worker said of itself."""
        self._scenario: Scenario | None = None
        self._language = "en"
        self._source = ""
        self._edits = Edits(on_disk=keeps_drafts)
        self._settings: dict[str, Value] = {}
        self._controls = Controls(time_automatically=time_automatically)
        self._snapshot: Snapshot | None = None
        self._selection = Selection()
        self._last_compare = ""
        self._own_cpu_devices = 1
        """What the person chose; a scenario that is made for more gets more while it is open."""
        self._value = ValueQuestion()
        self._changed_since = False
        """Something changed that no request has carried to the worker yet."""
        self._leftover = False
        """The panes still show the scenario before this one."""
        self._debounce = self._timer(DEBOUNCE_MS, self.run)
        self._draft_delay = self._timer(DRAFT_DELAY_MS, self.keep_draft)
        self.timings = Timings(self._timing_plan, client.submit, self)
        self.timings.ended.connect(self._on_timing_ended)
        client.message_received.connect(self._on_message)
        client.state_changed.connect(self._tell_activity)

    def _timer(self, interval_ms: int, slot: object) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=interval_ms)
        timer.timeout.connect(slot)
        return timer

    # -- what it holds ------------------------------------------------------------------------

    @property
    def scenario(self) -> Scenario | None:
        return self._scenario

    @property
    def source(self) -> str:
        """The code as it stands in the editor."""
        return self._source

    @property
    def controls(self) -> Controls:
        return self._controls

    @property
    def snapshot(self) -> Snapshot | None:
        """The newest snapshot, with the selected variant's report and, when comparing, the other's."""
        return self._snapshot

    @property
    def edited(self) -> frozenset[str]:
        """Ids of the scenarios whose code differs from their original, in this run or in a draft."""
        return self._edits.targets()

    @property
    def stale(self) -> bool:
        """Whether the panes show an older state of the code or of the controls, or another scenario."""
        shown = self._snapshot
        if shown is None:
            return self._leftover
        return self._changed_since or shown.run != self._asked or not shown.complete

    @property
    def busy(self) -> bool:
        """Whether anything is running, waiting or about to."""
        return self._client.running is not None or self._debounce.isActive() or self.timings.due

    # -- what the person does -----------------------------------------------------------------

    def open(self, scenario: Scenario) -> None:
        """Show `scenario`, with the edits of this run of the application where there are any."""
        self.keep_draft()
        self._scenario = scenario
        self._source = self._edits.source(scenario)
        state = opening(scenario)
        self._settings = self._known_settings(state.parameters)
        self._leftover = self._leftover or self._snapshot is not None
        self._snapshot = None
        self.timings.forget()
        if self._controls.cpu_devices != max(self._own_cpu_devices, scenario.devices):
            self._set_cpu_devices(max(self._own_cpu_devices, scenario.devices))
        self._set_controls(
            variants=tuple(Variant(plan.name, 1) for plan in scenario.variants),
            variant=state.variant,
            compare=state.compare,
            parameters=(),
            transforms=Transforms(),
            timing=TimingChoice(scenario.timing.variants, scenario.timing.transforms),
            form=state.form if scenario.steps else self._controls.form,
            edited=self._source != scenario.source,
        )
        self.scenario_changed.emit(scenario)
        self.source_replaced.emit(self._source)
        self.choose_focus(None)
        draft = self._edits.draft(scenario)
        if draft is not None:
            self.draft_found.emit(draft)
        self.run()

    def edit(self, source: str) -> None:
        """Take over what the person typed; it runs after a short pause."""
        if self._scenario is None or source == self._source:
            return
        self._source = source
        self._set_edited(self._edits.remember(self._scenario, source))
        self._draft_delay.start()
        self._wait_and_run()

    def replace_source(self, source: str) -> None:
        """Put `source` into the editor, as a draft, a reset or a fix does."""
        self.edit(source)
        self.source_replaced.emit(source)

    def reset(self) -> None:
        """Go back to the scenario's original code."""
        if self._scenario is not None:
            self.replace_source(self._scenario.source)

    def saved_as(self, scenario: Scenario) -> None:
        """Note that the code as it stands is now the content of `scenario`'s file."""
        if self._scenario is not None:
            self._edits.forget(self._scenario.id)
        self._edits.forget(scenario.id)
        self._scenario = scenario
        self._set_edited(self._source != scenario.source)
        self.scenario_changed.emit(scenario)

    def set_parameter(self, parameter: Parameter) -> None:
        """Run with `parameter` set to its value from now on."""
        self._settings[parameter.name] = parameter.value
        parameters = tuple(parameter if each.name == parameter.name else each for each in self._controls.parameters)
        self._set_controls(parameters=parameters)
        self._wait_and_run()

    def choose_variant(self, name: str) -> None:
        self._set_controls(variant=name, compare="" if name == self._controls.compare else self._controls.compare)
        self._rerun()

    def choose_compare(self, name: str) -> None:
        """Show variant `name` beside the selected one; an empty name ends comparing."""
        self._set_controls(compare="" if name == self._controls.variant else name)
        self._rerun()

    def take_step(self, plan: StepPlan) -> None:
        """Select what a step of the story sets, all in one run; what it leaves out stays, and so does what is gone."""
        controls = self._controls
        in_force = {each.name: each.value for each in controls.parameters}
        now = StepState(controls.variant, controls.compare, {**in_force, **self._settings}, controls.form)
        plan = fitting(plan, [variant.name for variant in controls.variants], self._source)
        then = now.after(plan)
        if then != now:
            self._settings.update(plan.parameters)
            shown = tuple(replace_fields(each, value=then.parameters[each.name]) for each in controls.parameters)
            self._set_controls(variant=then.variant, compare=then.compare, parameters=shown, form=then.form)
            self._rerun()

    def _known_settings(self, parameters: Mapping[str, Value]) -> dict[str, Value]:
        """Return those of `parameters` that the code as it stands has."""
        return code_inputs.known_settings(parameters, self._source)

    def toggle_compare(self) -> None:
        """End comparing, or compare with what was compared last, else with what the scenario compares with."""
        if compare := self._controls.compare:
            self._last_compare = compare
            self.choose_compare("")
            return
        usual = self._scenario.compare if self._scenario else ""
        self.choose_compare(comparing.partner(self._controls, (self._last_compare, usual)))

    def choose_device(self, device: str) -> None:
        self._set_controls(device=device)
        self._rerun()

    def choose_cpu_devices(self, count: int) -> None:
        """Restart the worker with `count` virtual CPU devices."""
        self._own_cpu_devices = count
        self._set_cpu_devices(count)
        self._rerun()

    def _set_cpu_devices(self, count: int) -> None:
        self._set_controls(cpu_devices=count, device="")
        self._client.set_cpu_devices(count)

    def choose_form(self, form: Form) -> None:
        """Show the program as jaxpr, StableHLO or optimised HLO."""
        self._set_controls(form=form)
        self.run()

    def choose_time_automatically(self, wanted: bool) -> None:
        self._set_controls(time_automatically=wanted)
        if wanted:
            self.timings.start_soon()
        else:
            self.timings.hold()

    def choose_timing(self, wanted: TimingChoice) -> None:
        """Time what `wanted` says, once nothing has been ticked for a moment."""
        self._set_controls(timing=wanted)
        self.timings.start_soon()

    def choose_transforms(self, wanted: Transforms) -> None:
        """Put `wanted` around the selected variant, from now on."""
        self._set_controls(transforms=wanted)
        self._rerun()

    def insert_transformed(self) -> None:
        """Make the transformed call a variant of its own in the code, and select that."""
        chosen = self._controls
        known = next((each for each in chosen.variants if each.name == chosen.variant), Variant(chosen.variant, 0))
        try:
            source, name = transforms.with_variant(self._source, known.name, known.arguments, chosen.transforms)
        except SyntaxError:
            self.problem_told.emit(
                self.tr("Python cannot read the code as it stands, so nothing was inserted. Mend it first.")
            )
            return
        self._set_controls(variant=name, transforms=Transforms())
        self.replace_source(source)
        self.run()

    def choose_steps(self, steps: tuple[int, ...]) -> None:
        """Show the value of the selected equation in these rounds of the loops around it."""
        self._value.step_to(steps)
        self._ask_value()

    def choose_language(self, language: str) -> None:
        """Hear everything in `language` from now on; the program runs again for it, so that every view is told anew."""
        if language == self._language:
            return
        self._language = language
        if self._scenario is not None:
            self._rerun()

    def choose_jax_checker(self, wanted: bool) -> None:
        """Ask JAX's own checker of keys too, now and after each edit, or no longer."""
        self._set_controls(jax_checker=wanted)
        if wanted:
            self.run()

    def choose_focus(self, wanted: Focus | None) -> None:
        """Select one thing; everything that belongs to it lights up."""
        self._selection.choose(wanted, self._snapshot)
        self._show_no_value_if(self._value.look_at(wanted))
        self._ask_value()
        self.marks_changed.emit(self.marks())

    def marks(self) -> Marks:
        """Return what the focus lights up now."""
        return self._selection.marks(self._snapshot, self.timings.measurements)

    # -- asking the worker --------------------------------------------------------------------

    def mend(self) -> None:
        """Ask for a snapshot that says what mends the findings."""
        self._submit(finding_fixes=True)

    def run(self) -> None:
        """Ask for a snapshot of the code as it stands."""
        self._submit(finding_fixes=False)

    def _submit(self, *, finding_fixes: bool) -> None:
        self._debounce.stop()
        self.timings.hold()
        if self._scenario is None:
            return
        self._changed_since = False
        self._asked = self._next_run()
        self._client.submit(
            requests.of_window(
                self._scenario,
                self._asked,
                self._controls,
                source=self._source,
                settings=self._known_settings(self._settings),
                language=self._language,
                finding_fixes=finding_fixes,
            )
        )
        self.printing_started.emit()
        self._tell_activity()

    def _timing_plan(self) -> list[TimingRequest]:
        """Return what measures everything that is ticked, on one device after the other; nothing where nothing runs."""
        chosen = self._controls
        if self._scenario is None or self._snapshot is None or self._snapshot.failure is not None:
            return []
        return [
            requests.timing_of_window(
                self._scenario,
                self._next_run(),
                chosen,
                source=self._source,
                settings=self._known_settings(self._settings),
                language=self._language,
                device=device,
            )
            for device in dict.fromkeys((chosen.device, chosen.timing.other_device or chosen.device))
        ]

    def _ask_value(self) -> None:
        """Ask what the selected equation computes, where that is not known; a timing run goes on afterwards."""
        request = None if self.stale else self._value.request(self._runs + 1, self._snapshot)
        if request is not None:
            self._runs += 1
            self.timings.give_way(self._client.running)
            self._client.submit(request)

    def _show_no_value_if(self, gone: bool) -> None:
        if gone:
            self.value_changed.emit(None)

    def stop(self) -> None:
        """End what is running; nothing starts by itself until the person does something."""
        self._debounce.stop()
        self.timings.hold()
        self._client.stop()

    def keep_draft(self) -> None:
        """Write the edits to disk, so that they survive a crash."""
        self._draft_delay.stop()
        if self._scenario is None:
            return
        try:
            self._edits.keep(self._scenario)
        except OSError as error:
            told = self.tr("Your edits could not be kept on disk ({}). They are safe while the window is open.")
            self.problem_told.emit(told.format(error.strerror))

    # -- hearing from the worker --------------------------------------------------------------

    def _on_message(self, message: FromRun) -> None:
        if isinstance(message, Hello):
            self._on_hello(message)
        elif isinstance(message, Printed):
            if message.run == self._asked:
                self.printed.emit(message.text)
        elif isinstance(message, Snapshot):
            if message.run == self._asked:
                self._on_snapshot(message)
        elif isinstance(message, EquationValue):
            self._on_value(message)
        else:
            self.timings.take(message)
        self._tell_activity()

    def _on_hello(self, hello: Hello) -> None:
        known = [device.id for device in hello.devices]
        device = self._controls.device if self._controls.device in known else hello.default_device
        self._set_controls(devices=hello.devices, device=device)
        self.hello = hello
        self.hello_received.emit(hello)

    def _on_snapshot(self, came: Snapshot) -> None:
        snapshot = snapshots.to_show(came, self._snapshot)
        if snapshot is None:
            return
        if snapshot.variants:
            self._set_controls(variants=snapshot.variants, parameters=snapshot.parameters)
            if self._reconsider_variant(snapshot):
                return
        self._snapshot = snapshots.selected(snapshot, comparing.shown(self._controls), self._snapshot)
        self._leftover = False
        self.program_changed.emit(self._snapshot)
        self.snapshot_changed.emit(self._snapshot)
        if self._selection.focus is not None:
            self._selection.follow(self._snapshot, self._source)
            self.marks_changed.emit(self.marks())
        if snapshot.complete:
            self._show_no_value_if(self._value.go_on(self._selection.focus))
            self._ask_value()
        if snapshot.complete and snapshot.failure is None:
            self.timings.outdate()
            if self._controls.time_automatically:
                self.timings.start_soon()

    def _reconsider_variant(self, snapshot: Snapshot) -> bool:
        """Choose other variants where the chosen ones are gone; return whether that runs the code again."""
        names = [variant.name for variant in snapshot.variants]
        variant = self._controls.variant if self._controls.variant in names else names[0]
        compare = self._controls.compare if self._controls.compare in comparing.partners(self._controls) else ""
        was_chosen = bool(self._controls.variant)
        if (variant, compare) == (self._controls.variant, self._controls.compare):
            return False
        self._set_controls(variant=variant, compare=compare)
        if was_chosen:
            self.run()
        return was_chosen

    def _on_timing_ended(self) -> None:
        if self._selection.timing_ended(self.timings.measurements, self._snapshot):
            self.marks_changed.emit(self.marks())

    def _on_value(self, came: EquationValue) -> None:
        if self._value.take(came):
            self.value_changed.emit(came)
        self.timings.go_on()

    # -- small parts --------------------------------------------------------------------------

    def _next_run(self) -> int:
        self._runs += 1
        return self._runs

    def _wait_and_run(self) -> None:
        self._changed_since = True
        self.timings.outdate()
        self.timings.hold()
        self._debounce.start()
        self._tell_activity()

    def _rerun(self) -> None:
        self.timings.outdate()
        self.run()

    def _set_controls(self, **changes: object) -> None:
        controls = replace(self._controls, **changes)  # type: ignore[arg-type]
        if controls != self._controls:
            self._controls = controls
            self.controls_changed.emit(controls)

    def _set_edited(self, edited: bool) -> None:
        """Note whether the code is edited; there is no code as it was beside code that is not."""
        compare = self._controls.compare
        self._set_controls(edited=edited, compare=compare if edited or compare != AS_IT_WAS else "")

    def _tell_activity(self) -> None:
        self.activity_changed.emit(Activity(self._client.state, self.stale, self.timings.stale))
