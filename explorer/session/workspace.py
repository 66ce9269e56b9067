"""``Workspace``: a scenario, its code as edited, and every choice around it, from which requests are made."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from explorer.library import drafts
from explorer.library.drafts import Draft
from explorer.library.edits import Edits
from explorer.library.progress import Position
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import (
    ORIGINAL,
    TOP_LEVEL,
    Form,
    Hello,
    Parameter,
    Request,
    Snapshot,
    TimingRequest,
    Transforms,
    Value,
    Variant,
    is_same,
)
from explorer.scenario import code_inputs, packages
from explorer.scenario.requests import CPU
from explorer.scenario.scenario import Scenario, StepPlan
from explorer.scenario.step_states import StepState, fitting, opening
from explorer.session import requests
from explorer.session.controls import Controls, TimingChoice
from explorer.session.requests import RunChoices

DRAFT_DELAY_MS = 250
"""Milliseconds until typed text is saved as a draft; further typing does not postpone that."""


class Workspace(QObject):
    """Holds what a run is asked for, and makes the requests of it.

    Signals:
        opening: another scenario is about to be shown; the contents on screen do not belong to it.
        scenario_changed: the Scenario that was opened.
        source_replaced: text that the editor must show, because the user did not type it; an object, because Qt
            would copy a string.
        draft_found: a Draft of the opened scenario that another window has left.
        controls_changed: the new Controls.
        cpu_devices_chosen: how many virtual CPU devices the worker must be started with.
        remote_chosen: the Remote that the worker must run on.
        run_wanted: the results on screen are obsolete.
        run_due: the same, while the user is still typing.
        more_wanted: further results of the same program are needed.
        subject_chosen: the name of the function of a script that was chosen.
        problem_found: a sentence for the user about saving the typed text.
    """

    opening = Signal()
    scenario_changed = Signal(object)
    source_replaced = Signal(object)
    draft_found = Signal(object)
    controls_changed = Signal(object)
    cpu_devices_chosen = Signal(object)
    remote_chosen = Signal(object)
    run_wanted = Signal()
    run_due = Signal()
    more_wanted = Signal()
    subject_chosen = Signal(str)
    problem_found = Signal(str)

    def __init__(
        self,
        *,
        time_automatically: bool = True,
        line_types: bool = False,
        keeps_drafts: bool = True,
        timeout_s: float | None = None,
    ) -> None:
        """Limit each variant to `timeout_s` seconds; None for no limit, where a user is present to stop it."""
        super().__init__()
        self._timeout_s = timeout_s
        self.scenario: Scenario | None = None
        self.source = ""
        """The code in the editor."""
        self.runs = True
        """Whether the code may run; otherwise it is open to be read."""
        self._edits = Edits(on_disk=keeps_drafts)
        self._settings: dict[str, Value] = {}
        self._set_over: dict[str, Value] = {}
        """The default in the code of each parameter at the time it was set."""
        self.controls = Controls(time_automatically=time_automatically, line_types=line_types)
        self._last_compare = ""
        self._own_cpu_devices = 1
        """The user's choice; a scenario that needs more gets more while it is open."""
        self._own_device = ""
        """The user's choice where this code runs now; a scenario that is made for the CPU opens there."""
        self._remotes: tuple[Remote, ...] = ()
        self.remote = HERE
        """Where the program runs."""
        self._draft_delay = QTimer(self, singleShot=True, interval=DRAFT_DELAY_MS)
        self._draft_delay.timeout.connect(self.keep_draft)

    # -- what it holds ------------------------------------------------------------------------

    @property
    def settings(self) -> dict[str, Value]:
        """The parameters that were set, by the user or by a step of the story."""
        return dict(self._settings)

    @property
    def state(self) -> StepState:
        """Return all that a step can select, with the parameters that were set."""
        chosen = self.controls
        return StepState(
            chosen.variant, chosen.compare, self.settings, chosen.form, chosen.jax_checker, chosen.transforms
        )

    @property
    def selection(self) -> StepPlan:
        """Return the variant, the comparison and the form that are selected, as a step sets them."""
        return replace(self.state.plan, parameters={})

    @property
    def edited(self) -> frozenset[str]:
        """Ids of the scenarios with edited code, in this session or in a draft."""
        return self._edits.targets()

    # -- requests -----------------------------------------------------------------------------

    def request(self, run: int, *, finding_fixes: bool = False) -> Request | None:
        """Return the request, with number `run`, for the contents of all panes; None where none may run."""
        chosen = self._chosen()
        return requests.of_window(chosen, run, finding_fixes=finding_fixes) if chosen else None

    def timing_requests(self, next_run: Callable[[], int]) -> list[TimingRequest]:
        """Return the timing requests for all ticked choices, one device after the other."""
        chosen, device = self._chosen(), self.controls.device
        devices = dict.fromkeys((device, self.controls.timing.other_device or device))
        if chosen is None or not self.controls.functions:
            return []
        return [requests.timing_of_window(chosen, next_run(), each) for each in devices]

    def _chosen(self) -> RunChoices | None:
        if self.scenario is None or not self.runs:
            return None
        # To look in the code which settings it has would cost as much as painting the answer; the worker does.
        given = self._settings, self.controls, self._timeout_s
        return RunChoices(self.scenario, self.source, *given)

    def explained(self, snapshot: Snapshot) -> Snapshot:
        """Return `snapshot`, its failure explained where the scenario needs packages that are not installed."""
        return snapshot if self.scenario is None else packages.explained(snapshot, self.scenario, self.remote)

    # -- the code -----------------------------------------------------------------------------

    def let_run(self) -> None:
        """Run the code that is open to be read."""
        self.runs = True
        self.run_wanted.emit()

    def open(self, scenario: Scenario, *, runs: bool = True) -> None:
        """Show `scenario`, with its edits of this session; run it if it `runs`."""
        self.keep_draft()
        self.runs = runs
        self.scenario = scenario
        self.source = self._edits.source(scenario)
        state = opening(scenario)
        self._settings = self._changed_settings(code_inputs.known_settings(state.parameters, self.source))
        self._set_over = code_inputs.input_parameters(scenario.source) if self._settings else {}
        self.opening.emit()
        known = [each.id for each in self.controls.devices]
        self._set_controls(device=self._wanted_device(known, default="".join(known[:1])))
        self._set_cpu_devices(max(self._own_cpu_devices, scenario.devices))
        self._set_controls(
            variants=tuple(Variant(plan.name, 1) for plan in scenario.variants),
            variant=state.variant,
            compare=state.compare,
            parameters=(),
            overruled=(),
            transforms=Transforms(),
            timing=TimingChoice(scenario.timing.variants, scenario.timing.transforms),
            form=state.form if scenario.steps else self.controls.form,
            jax_checker=state.jax_checker if scenario.steps else self.controls.jax_checker,
            leaves_out_plots=True,
            edited=self.source != scenario.source,
            subjects=(),
            subject="",
            wanted_subject="",
        )
        self.scenario_changed.emit(scenario)
        self.source_replaced.emit(self.source)
        if not self.offer_draft() and self._edits.is_elsewhere(scenario):
            self.problem_found.emit(
                self.tr("Another window is editing this code too. Each window keeps its own edits.")
            )
        self.run_wanted.emit()

    def offer_draft(self) -> bool:
        """Report other edits to the open file that the user has to decide about; return whether there are any."""
        draft = self.left_draft()
        if draft is not None:
            self.draft_found.emit(draft)
        return draft is not None

    def left_draft(self) -> Draft | None:
        """Return the newest edits to the open file that another window has left."""
        return self._edits.draft(self.scenario) if self.scenario is not None else None

    def use_draft(self, draft: Draft) -> None:
        """Continue with the code of `draft`, which belongs to this window from then on."""
        self.replace_source(draft.source)
        if self.keep_draft():
            drafts.discard(draft)

    def take_edit(self, scenario: Scenario, source: str) -> None:
        """Use `source` as the edited code of `scenario`, which is opened next, unless it has edits already."""
        if self._edits.source(scenario) == scenario.source:
            self._edits.remember(scenario, source)

    def edit(self, source: str) -> None:
        """Take the text of the editor; it runs after a short pause."""
        if self.scenario is None or source == self.source:
            return
        self.source = source
        self._set_edited(self._edits.remember(self.scenario, source))
        if not self._draft_delay.isActive():
            self._draft_delay.start()
        self.run_due.emit()

    def replace_source(self, source: str) -> None:
        """Put `source` into the editor, for a draft, a reset or a fix."""
        self.edit(source)
        self.source_replaced.emit(source)

    def reset(self) -> None:
        """Restore the scenario's original code."""
        if self.scenario is not None:
            self.replace_source(self.scenario.source)

    def saved_as(self, scenario: Scenario) -> None:
        """Note that the current code is now the content of `scenario`'s file."""
        if self.scenario is not None:
            self._edits.forget(self.scenario.id)
        self._edits.forget(scenario.id)
        self.scenario = scenario
        self._set_edited(self.source != scenario.source)
        self.scenario_changed.emit(scenario)

    def take_original(self, source: str, *, reload: bool = False) -> None:
        """Note that the file's text is `source` now; with `reload` it becomes the code."""
        if self.scenario is None:
            return
        self.scenario = replace(self.scenario, source=source)
        if reload:
            self.source = source
        self._set_edited(self._edits.remember(self.scenario, self.source))
        self.keep_draft()
        self.scenario_changed.emit(self.scenario)
        if reload:
            self.source_replaced.emit(source)
            self.run_wanted.emit()

    def keep_draft(self) -> bool:
        """Write the edits to disk, so that they survive a crash; return whether that succeeded."""
        self._draft_delay.stop()
        if self.scenario is None:
            return False
        try:
            self._edits.keep(self.scenario)
        except OSError as error:
            text = self.tr("Your edits could not be kept on disk ({}). They are safe while the window is open.")
            self.problem_found.emit(text.format(error.strerror))
            return False
        return True

    def keep_position(self, position: Position) -> None:
        """Write `position` to disk, so that the next start can go on there after a crash."""
        with contextlib.suppress(OSError):
            self._edits.keep_position(position)

    def close(self) -> None:
        """Leave the edits on disk to the next window."""
        self.keep_draft()
        self._edits.close()

    # -- what is chosen around it -------------------------------------------------------------

    def set_parameter(self, parameter: Parameter) -> None:
        """Run with the new value of `parameter` from now on."""
        self._settings[parameter.name] = parameter.value
        if is_same(parameter.value, parameter.default):
            del self._settings[parameter.name]
        self._set_over[parameter.name] = parameter.default
        self._show_parameters(
            tuple(parameter if each.name == parameter.name else each for each in self.controls.parameters)
        )
        self.run_due.emit()

    def take_defaults(self) -> None:
        """Run with the defaults of all parameters."""
        self.put_back(StepPlan(), {})

    def put_back(self, plan: StepPlan, settings: Mapping[str, Value]) -> None:
        """Select the variant of `plan`, with exactly these `settings` of the parameters."""
        self.take_state(replace(self.state.after(plan), parameters=settings))

    def choose_variant(self, name: str) -> None:
        self._set_controls(variant=name, compare="" if name == self.controls.compare else self.controls.compare)
        self.run_wanted.emit()

    def choose_subject(self, name: str) -> None:
        """Show this function of a script in the panes that are about one, now and after edits."""
        if any(each.name == name for each in self.controls.subjects):
            self._set_controls(subject=name, wanted_subject=name)
            self.subject_chosen.emit(name)

    def choose_compare(self, name: str) -> None:
        """Show variant `name` next to the selected one; an empty name ends comparing."""
        self._set_controls(compare="" if name == self.controls.variant else name)
        self.run_wanted.emit()

    def take_step(self, plan: StepPlan) -> None:
        """Select the choices of a lesson's step; other choices stay."""
        self.take_state(self.state.after(plan))

    def take_state(self, state: StepState) -> None:
        """Select exactly `state`, in one run; variants and parameters that the code does not have are ignored."""
        controls, now = self.controls, self.state
        plan = fitting(state.plan, [variant.name for variant in controls.variants], self.source)
        settings = self._changed_settings(plan.parameters)
        then = replace(now.after(plan), parameters=settings, transforms=state.transforms)
        if then != now:
            if self.scenario is not None and settings.items() - now.parameters.items():
                self._set_over.update(code_inputs.input_parameters(self.scenario.source))
            self._settings = settings
            self._set_controls(
                variant=then.variant,
                compare=then.compare,
                form=then.form,
                jax_checker=then.jax_checker,
                transforms=then.transforms,
            )
            self._show_parameters(tuple(replace(each, value=each.default) for each in controls.parameters))
            self.run_wanted.emit()

    def toggle_compare(self) -> None:
        """Stop comparing, or compare with the last partner, else with the partner that the scenario names."""
        if compare := self.controls.compare:
            self._last_compare = compare
            self.choose_compare("")
            return
        usual = self.scenario.compare if self.scenario else ""
        self.choose_compare(requests.partner(self.controls, (self._last_compare, usual)))

    def compare_with_original(self) -> None:
        """Show the selected variant next to its version in the original code."""
        self.choose_compare(ORIGINAL)

    def choose_device(self, device: str) -> None:
        self._own_device = device
        self._set_controls(device=device)
        self.run_wanted.emit()

    def know_remotes(self, remotes: tuple[Remote, ...]) -> None:
        """Offer `remotes` in addition to this Python."""
        self._remotes = remotes
        self._set_controls(remotes=tuple(each.name for each in remotes))

    def choose_remote(self, name: str) -> None:
        """Run at the remote of this `name`, which is known; in this Python where it is empty."""
        if name != self.controls.remote:
            remote = next((each for each in self._remotes if each.name == name), HERE)
            self._own_device = ""
            self._set_controls(remote=remote.name, devices=(), device="")
            self.remote = remote
            self.remote_chosen.emit(remote)
            self.run_wanted.emit()

    def choose_cpu_devices(self, count: int) -> None:
        """Run on `count` virtual CPU devices."""
        self._own_cpu_devices = count
        self._set_cpu_devices(count)
        self.run_wanted.emit()

    def _set_cpu_devices(self, count: int) -> None:
        if count != self.controls.cpu_devices:
            self._own_device = ""
            self._set_controls(cpu_devices=count, device="")
            self.cpu_devices_chosen.emit(count)

    def choose_form(self, form: Form) -> None:
        """Show the program as jaxpr, StableHLO or optimised HLO."""
        self._set_controls(form=form)
        self.more_wanted.emit()

    def choose_time_automatically(self, wanted: bool) -> None:
        self._set_controls(time_automatically=wanted)

    def choose_timing(self, wanted: TimingChoice) -> None:
        """Time the choice `wanted` after a pause in ticking."""
        self._set_controls(timing=wanted)

    def choose_transforms(self, wanted: Transforms) -> None:
        """Apply the transforms `wanted` to the selected variant from now on."""
        self._set_controls(transforms=wanted)
        self.run_wanted.emit()

    def choose_jax_checker(self, wanted: bool) -> None:
        """Switch JAX's own key checker on, now and after each edit, or off."""
        self._set_controls(jax_checker=wanted)
        if wanted:
            self.more_wanted.emit()

    def raise_missing_plots(self) -> None:
        """Let the import of a missing plotting library raise, as in Python, until other code is opened."""
        self._set_controls(leaves_out_plots=False)
        self.run_wanted.emit()

    def choose_line_types(self, wanted: bool) -> None:
        """Show the types at line ends, or hide them."""
        self._set_controls(line_types=wanted)
        if wanted:
            self.more_wanted.emit()

    def _wanted_device(self, known: Sequence[str], default: str) -> str:
        wanted = CPU if self.scenario is not None and self.scenario.on_cpu else self._own_device
        return wanted if not known or wanted in known else default

    # -- what the worker knows of it ----------------------------------------------------------

    def take_hello(self, hello: Hello) -> None:
        """Select one of the available devices."""
        known = [device.id for device in hello.devices]
        now = self.controls.device
        device = now if now in known else self._wanted_device(known, hello.default_device)
        self._set_controls(devices=hello.devices, device=device)

    def take_snapshot(self, snapshot: Snapshot) -> bool:
        """Take the variants and parameters of `snapshot`; return whether it still matches the choices.

        Missing choices are replaced, and unless it was the first choice a new run is requested.
        """
        if snapshot.parameters or snapshot.variants:
            self._show_parameters(snapshot.parameters)
        if not snapshot.variants:
            return True
        subjects, subject = self.controls.subjects, self.controls.subject
        report = snapshot.report(TOP_LEVEL)
        if report is not None and report.status is not None:
            subjects = tuple(replace(each, program=None) for each in report.subjects)
            wanted = self.controls.wanted_subject or self.controls.variant
            subject = wanted if any(each.name == wanted for each in subjects) else report.subject
        self._set_controls(variants=snapshot.variants, subjects=subjects, subject=subject)
        names = [variant.name for variant in snapshot.variants]
        chosen = self.controls
        variant = chosen.variant if chosen.variant in names else names[0]
        compare = chosen.compare if chosen.compare in requests.partners(chosen) else ""
        if (variant, compare) == (chosen.variant, chosen.compare):
            return True
        self._set_controls(variant=variant, compare=compare)
        if not chosen.variant:
            return True
        self.more_wanted.emit()
        return False

    # -- small parts --------------------------------------------------------------------------

    def _changed_settings(self, settings: Mapping[str, Value]) -> dict[str, Value]:
        """Return the `settings` that differ from the code, so that an edit of the code has an effect."""
        own = code_inputs.input_parameters(self.source) if settings else {}
        return {name: value for name, value in settings.items() if name not in own or not is_same(value, own[name])}

    def _show_parameters(self, parameters: tuple[Parameter, ...]) -> None:
        """Show `parameters` with their set values, including those of a run that was requested earlier."""
        shown = tuple(
            replace(each, value=type(each.default)(self._settings[each.name]))
            if each.name in self._settings and code_inputs.fits(self._settings[each.name], each.default)
            else each
            for each in parameters
        )
        overruled = tuple(
            each.name
            for each in shown
            if not is_same(each.value, each.default)
            and not is_same(self._set_over.get(each.name, each.default), each.default)
        )
        self._set_controls(parameters=shown, overruled=overruled)

    def _set_controls(self, **changes: object) -> None:
        controls = replace(self.controls, **changes)
        if controls != self.controls:
            self.controls = controls
            self.controls_changed.emit(controls)

    def _set_edited(self, edited: bool) -> None:
        """Note whether the code is edited; only then is there an original to compare with."""
        compare = self.controls.compare
        self._set_controls(edited=edited, compare=compare if edited or compare != ORIGINAL else "")
