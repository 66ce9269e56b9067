"""The messages between window and worker: frozen records, arrays as raw buffers, and their framing.

It has records and codecs only, no behaviour. Texts come from ``explorer.text``, levels from ``explorer.diagnostics``.
"""

# Re-exports of the package.
# ruff: noqa: F401
from explorer.diagnostics.check import LEVELS, PARTS, Level, Part
from explorer.messages.answers import (
    EquationValue,
    FromRun,
    FromWorker,
    LastAnswer,
    LensAnswer,
    Loop,
    Measurement,
    NameAnswer,
    Note,
    NoteKind,
    TimingDone,
    TrialAnswer,
    UsedUp,
    ends_run,
    unanswered,
)
from explorer.messages.basics import (
    Array,
    Beat,
    Edit,
    Failure,
    Fix,
    Form,
    Span,
    Status,
    Transform,
    Value,
    is_same,
    unmarked,
)
from explorer.messages.coverage import Coverage, Extent
from explorer.messages.iterations import CALLS, COLLECTED, LOOPS, Calls, Cause, Curve, Iterations
from explorer.messages.reports import (
    KEY_STATES,
    ORIGINS,
    SILENT,
    TOP_LEVEL,
    Argument,
    CheckerAnswer,
    Cost,
    Device,
    Equation,
    Finding,
    FunctionTraces,
    Hello,
    JaxChecker,
    KeyGraph,
    KeyOrigin,
    KeyState,
    LineType,
    LineTypes,
    Parameter,
    Picture,
    PictureRole,
    Place,
    PlaceRole,
    Printed,
    Program,
    Programs,
    Report,
    ShardRange,
    Site,
    Snapshot,
    Subject,
    TraceEvent,
    TraceReason,
    Variant,
)
from explorer.messages.selection import Focus, Marks
from explorer.messages.to_worker import (
    ORIGINAL,
    Applied,
    Cancel,
    LensRequest,
    NameQuestion,
    Prepare,
    Question,
    Request,
    RunRequest,
    TimingRequest,
    ToWorker,
    TransformName,
    Transforms,
    TrialRequest,
    ValueRequest,
    is_original,
    original_name,
)
