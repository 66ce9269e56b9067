"""``Controls`` of the tool bar, ``TimingChoice``, and ``Activity`` for the status bar, as frozen records."""

from __future__ import annotations

import msgspec

from explorer.link.command import WorkerState
from explorer.messages import TOP_LEVEL, Device, Form, Parameter, Subject, Transform, Transforms, Variant


class TimingChoice(msgspec.Struct, frozen=True):
    """The choice of functions, transforms and devices to time."""

    variants: tuple[str, ...] = ()
    """The timed variants; empty for all."""
    transforms: tuple[Transform, ...] = ("eager", "jit")
    """The transforms, each with a curve of every variant."""
    other_device: str = ""
    """The second device to time everything on; empty for none."""


class Controls(msgspec.Struct, frozen=True):
    """The state of the tool bar."""

    remote: str = ""
    """Where the program runs: the name of a remote, empty for this Python."""
    remotes: tuple[str, ...] = ()
    """The names of the other known remotes."""
    devices: tuple[Device, ...] = ()
    device: str = ""
    cpu_devices: int = 1
    variants: tuple[Variant, ...] = ()
    variant: str = ""
    compare: str = ""
    """The variant shown next to the first, or empty."""
    parameters: tuple[Parameter, ...] = ()
    overruled: tuple[str, ...] = ()
    """Parameters whose set value overrules a default that was edited in the code afterwards."""
    form: Form = "jaxpr"
    time_automatically: bool = True
    jax_checker: bool = False
    """Whether each run also asks JAX's own key checker."""
    line_types: bool = False
    """Whether the code shows at the end of each line the types that it made."""
    transforms: Transforms = msgspec.field(default_factory=Transforms)
    """The transforms around the selected variant, whichever variant that is."""
    timing: TimingChoice = msgspec.field(default_factory=TimingChoice)
    leaves_out_plots: bool = True
    """Whether the code goes on without plotting libraries that are not installed."""
    subjects: tuple[Subject, ...] = ()
    """The functions that a script calls: one of them is in the panes for its top level. Without their programs."""
    subject: str = ""
    """The name of that one."""
    wanted_subject: str = ""
    """The one that the user chose; empty for the one that suits best."""
    edited: bool = False

    @property
    def functions(self) -> tuple[Variant, ...]:
        """The functions that can be timed: for the top level of a script the one in the panes, else all variants."""
        if self.of_script:
            return (Variant(self.of_script, 0),)
        return tuple(each for each in self.variants if each.name != TOP_LEVEL)

    @property
    def of_script(self) -> str:
        """The function of a script that the panes are about; empty where they are about a variant."""
        return self.subject if self.variant == TOP_LEVEL else ""

    @property
    def around_the_variant(self) -> Transforms:
        """The transforms, with the name of the variant that they are for."""
        return msgspec.structs.replace(self.transforms, variant=self.variant)


class Activity(msgspec.Struct, frozen=True):
    """The current activity, for the status bar and for greying stale panes."""

    worker: WorkerState
    stale: bool
    """Whether some panes show an older state of the code or of the controls."""
    program_stale: bool
    """Whether the program texts are stale; they are updated first, while the other results are still computed."""
    rest_stale: bool
    """The keys and the noise do; not where only another form of the same program is computed."""
    timing_stale: bool
    due: bool
    """Whether a run starts by itself after the next pause in typing."""
    stopped_at: int = 0
    """The line at which the user stopped the newest run; 0 if it was not stopped, or the line is not known."""
    findings_stale: bool = False
    """The findings do: further checks may still be missing."""
    timing_comes: bool = False
    """Whether times are being measured, or will be by themselves."""
