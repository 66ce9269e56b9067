"""Lens answers for tests, and the contents of their pages."""

from __future__ import annotations

import msgspec

from explorer.messages import LensAnswer, Program, Report, Snapshot, Span
from explorer.messages.lenses.calls import Asked, CallsLens, Difference, Given, Leak, LensCall, TracedLine
from explorer.messages.lenses.devices import Collective, DevicesLens, ShardedArray
from explorer.messages.lenses.devices import Piece as ShardRange
from explorer.messages.lenses.gradient import (
    BackwardEquation,
    CustomRule,
    DifferenceCheck,
    FirstNotFinite,
    FlowEnd,
    ForwardEquation,
    GradientLens,
    Residual,
)
from explorer.messages.lenses.lens import Lens
from explorer.messages.lenses.memory import Block, Library, Loop, MemoryLens
from explorer.messages.lenses.registry import LENSES
from explorer.messages.lenses.vmap import VmapCall, VmapEquation, VmapLens, VmapValue
from tests.views.program.shown import PROGRAM, button
from views.program.lenses.page import LensPage
from views.program.lenses.table import LensTable
from views.program.program_view import ProgramView

GRADIENT = GradientLens(
    forward=(
        ForwardEquation(0, "sin", 3, ("f32[5]",), equation=0),
        ForwardEquation(1, "cos", 3, ("f32[5]",), equation=0, added=True),
        ForwardEquation(2, "custom_vjp_call", 5, ("f32[]",), name="clip", equation=1, rule=0),
        ForwardEquation(3, "mul", 4, ("f32[]",), equation=2, depth=1),
        ForwardEquation(4, "stop_gradient", 6, ("f32[]",), equation=3),
    ),
    backward=(
        BackwardEquation(5, "neg", 6, ("f32[]",)),
        BackwardEquation(6, "scan", 5, ("f32[5]",), forward=2),
        BackwardEquation(7, "min", 5, ("f32[5]",), added=True, rule=0),
        BackwardEquation(8, "cos", 3, ("f32[5]",), forward=0, recomputed=True),
        BackwardEquation(9, "mul", 3, ("f32[5]",), forward=0, finite=False),
    ),
    residuals=(
        Residual(0, "f32[8]", 32, 0, argument="w"),
        Residual(1, "f32[5]", 1024, 3, made_by=1),
        Residual(2, "f32[2]", 8, 3, made_by=1),
    ),
    residual_bytes=1064,
    taken=("w", "x"),
    ends=(
        FlowEnd("integer", "n", "n holds integers."),
        FlowEnd("stop_gradient", "stop_gradient", "A constant to the backward pass.", 6, 3),
    ),
    custom=(CustomRule("custom_vjp", "clip", 5, 1, 2),),
    recomputed=1,
    first_not_finite=FirstNotFinite(9, "nan", 3, "NaN first appears here."),
    check=DifferenceCheck(1.0, 1.0, 5, True, "Agree to 5 digits."),
    notes=("The gradient of the sum.",),
)

_CALL = VmapCall(
    "i",
    32,
    "noisy",
    Span(9, 0, 9, 5),
    (VmapValue("key", "key<fry>[]", "key<fry>[]", None), VmapValue("x", "f32[10]", "f32[10,32]", 1)),
    (VmapValue("output", "f32[10]", "f32[32,10]", 0),),
)
SHARED = "all 32 draw the same"
SAME = "the same for all 32"


def of_vmap(primitive: str, batch: str, mapped: tuple[int, ...], index: int, became: str = "") -> VmapEquation:
    """Return an operation of the one vmap; one that is not mapped draws with the key that all share."""
    return VmapEquation(
        primitive,
        ("f32[10]",),
        (batch,),
        (mapped,),
        ((0,) * len(mapped),),
        (0,),
        id=index,
        span=Span(3, 0, 3, 5),
        became=became,
        is_draw=primitive == "random_bits",
        shared=() if mapped else (0,),
    )


VMAP = VmapLens(
    (_CALL,),
    (
        of_vmap("random_bits", "f32[10]", (), 0, SHARED),
        of_vmap("sub", "f32[10]", (), 1, SAME),
        of_vmap("mul", "f32[10]", (), 1, SAME),
        of_vmap("add", "f32[32,10]", (0,), 2),
    ),
)
NESTED = VmapLens(
    (
        VmapCall("i", 3, "f", None, (VmapValue("a", "f32[4]", "f32[3,4]", 0),), ()),
        VmapCall("j", 5, "g", None, (VmapValue("b", "f32[4]", "f32[5,4]", 0),), (), inside=0),
    ),
    (VmapEquation("mul", ("f32[4]",), ("f32[3,5,4]",), ((0, 1),), ((0, 1),), (0, 1), copies=((1,),)),),
)

_SHARDING = "NamedSharding(mesh=Mesh('i': 2, 'j': 2), spec=P('i',))"
DEVICES = DevicesLens(
    (
        ShardedArray(
            "x", "f32[8,4]", "input", "SingleDeviceSharding", (1, 1), (ShardRange(0, "[:, :]", (0, 0), 128, False),)
        ),
        ShardedArray("n", "i64[3]", "input", ""),
        ShardedArray(
            "xs",
            "f32[8,4]",
            "inside",
            _SHARDING,
            (2, 1),
            tuple(ShardRange(n, f"[{n // 2 * 4}:{n // 2 * 4 + 4}, :]", (n // 2, 0), 64, True) for n in range(4)),
            3,
            "device_put",
            5,
        ),
        ShardedArray(
            "w",
            "f32[]",
            "inside",
            "s",
            (),
            (ShardRange(0, "[]", (), 4, True), ShardRange(1, "[]", (), 4, True)),
            4,
            "jit of f",
            moved=True,
        ),
        ShardedArray(
            "output",
            "f32[4,4]",
            "output",
            _SHARDING,
            (2, 2),
            tuple(ShardRange(n, "", (n // 2, n % 2), 16, False) for n in range(4)),
            4,
            "jit of f",
        ),
    ),
    devices=(0, 1, 2, 3),
    collectives=(
        Collective("all-reduce", "psum.1", 4, "f32[4]", 16, "f32[4]", 16, ((0, 2), (1, 3)), in_loop=True),
        Collective("all-gather", "gather.1", 5, "f32[4]", 16, "f32[16]", 64, ((0, 1, 2, 3),), times=2),
        Collective("collective-permute", "p.1", 6, "f32[4]", 16, "f32[4]", 16, pairs=((0, 1), (1, 0))),
    ),
    notes=("A note.",),
    left_out=1200,
)


def _asked(x: str, n: str) -> Asked:
    shape = f"({x[x.index('[') + 1 : -1]},)"
    return Asked((Given("x", x, shape, "float32"), Given("n", n, static=n)), structure="(*, n=static)")


CALLS = CallsLens(
    (
        LensCall(
            1,
            "step",
            False,
            _asked("f32[3]", "1"),
            Span(9, 4, 9, 12),
            (4, 5, 7),
            (
                TracedLine(4, "for each in range(n):", times=2),
                TracedLine(5, "y = x + each", ("y: f32[3]",)),
                TracedLine(7, "print(y)", printed="JitTracer(float32[3])\n"),
            ),
            "JitTracer(float32[3])\n",
            traces=1,
            leaks=(Leak("seen[0]", "f32[3]", 5),),
        ),
        LensCall(2, "step", True, _asked("f32[3]", "1"), Span(9, 4, 9, 12), nearest=1, traces=1),
        LensCall(
            3,
            "step",
            False,
            _asked("f32[5]", "2"),
            Span(10, 4, 10, 12),
            (4,),
            (TracedLine(4, "for each in range(n):"),),
            differs=(Difference("shape", "x"), Difference("static value", "n")),
            nearest=1,
            traces=2,
            error="ValueError: no",
        ),
    ),
    3,
    2,
    ("It is run twice.",),
)


MEMORY = MemoryLens(
    blocks=(
        Block("argument", "f32[256]", 1024, ((0, 5),), "params['w']"),
        Block("argument", "f32[256]", 1024, ((0, 5),), "params['b']"),
        Block("residual", "f32[512]", 2048, ((0, 4),), operation="tanh", line=3, last_line=3),
        Block("residual", "f32[512]", 2048, ((1, 3),), operation="tanh", line=3, last_line=3),
        Block("temporary", "f32[256]", 1024, ((0, 0), (3, 3)), operation="mul", line=5, last_line=6),
        Block("output", "f32[256]", 1024, ((4, 5),), operation="sub", line=6),
    ),
    lines=(3, 3, 0, 5, 6, 6),
    live=(5120, 6144, 6144, 7268, 5120, 3072),
    loops=(Loop(0, 1, 12), Loop(3, 3, 0)),
    argument_bytes=2048,
    output_bytes=1024,
    temporary_bytes=6144,
    library=Library(1 << 20, 5),
    left_out=3,
    left_out_bytes=100,
)


def answer_with(lens: Lens | None, variant: str = "f", sentence: str = "") -> LensAnswer:
    name = next((each.id for each in LENSES.values() if isinstance(lens, each.record)), "gradient")
    return LensAnswer(1, 1, variant, name, lens, sentence)


def offering(*lenses: str, names: str = "f", program: Program = PROGRAM) -> Snapshot:
    """Return a snapshot of variants with these names, each of one letter, which offer `lenses`."""
    reports = tuple(Report(name, "ok", program=program, lenses=lenses) for name in names)
    return Snapshot(1, "cpu:0", True, reports=reports)


def without(snapshot: Snapshot, **changes: object) -> Snapshot:
    return msgspec.structs.replace(snapshot, **changes)


def opened(view: ProgramView, *answers: LensAnswer, names: str = "f") -> list[LensPage]:
    """Open the lens of `answers` in `view`, and return the visible pages."""
    name = answers[0].name
    view.show_snapshot(offering(name, names=names))
    button(view, name).click()
    view.show_lenses(answers)
    return pages(view)


def pages(view: ProgramView) -> list[LensPage]:
    shown = [page for page in view.findChildren(LensPage) if page.isVisible()]
    return sorted(shown, key=lambda page: table_of(page).accessibleName())


def table_of(page: LensPage) -> LensTable:
    return page.findChild(LensTable)
