"""What lenses find, for tests of their tables."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
from jax.core import ShapedArray

from explorer.text.text import NOTHING, Text, verbatim
from explorer.worker.internals.batching.steps import MappedArray, VmapCall
from explorer.worker.runs.lenses.batched import VmapEquation
from explorer.worker.runs.lenses.cache_keys import CacheKey, CallInput, KeyDifference
from explorer.worker.runs.lenses.calls import VariantCalls
from explorer.worker.runs.lenses.collectives import Collective
from explorer.worker.runs.lenses.devices import Devices
from explorer.worker.runs.lenses.gradient.check import DifferenceCheck
from explorer.worker.runs.lenses.gradient.facts import Facts, Residual
from explorer.worker.runs.lenses.gradient.flow import FlowEnd
from explorer.worker.runs.lenses.gradient.values import FirstNotFinite
from explorer.worker.runs.lenses.schedule import Block, CompiledLoop, Library, Memory
from explorer.worker.runs.lenses.shards import Shard, ShardedArray
from explorer.worker.runs.lenses.traced_lines import TracedLine
from explorer.worker.runs.lenses.vmap import Vmaps
from explorer.worker.runs.lenses.watched_calls import EscapedTracer, LensCall


def equation(number: int, primitive: str, line: int, outputs: tuple[str, ...], **facts: Any) -> Any:
    """Return what is known of a Node."""
    plain = {"depth": 0, "called": "", "index": -1, "added": False, "recomputed": False, "finite": None}
    forward = SimpleNamespace(id=facts.pop("forward", -1))
    known = {"id": number, "primitive": primitive, "line": line, "outputs": outputs, "forward": forward}
    return SimpleNamespace(**{**known, **plain, **facts})


GRADIENT = Facts(
    forward=(
        equation(0, "sin", 3, ("f32[5]",), index=0),
        equation(1, "cos", 3, ("f32[5]",), index=0, added=True),
        equation(2, "custom_vjp_call", 5, ("f32[]",), called="clip", index=1),
        equation(3, "mul", 4, ("f32[]",), index=2, depth=1),
        equation(4, "stop_gradient", 6, ("f32[]",), index=3),
    ),
    backward=(
        equation(5, "neg", 6, ("f32[]",)),
        equation(6, "scan", 5, ("f32[5]",), forward=2),
        equation(7, "min", 5, ("f32[5]",), added=True),
        equation(8, "cos", 3, ("f32[5]",), forward=0, recomputed=True),
        equation(9, "mul", 3, ("f32[5]",), forward=0, finite=False),
    ),
    residuals=(
        Residual(0, "f32[8]", 32, 0, -1, "w"),
        Residual(1, "f32[5]", 1024, 3, 1, ""),
        Residual(2, "f32[2]", 8, 3, 1, ""),
    ),
    taken=("w", "x"),
    ends=(
        FlowEnd("n", verbatim("n holds integers.")),
        FlowEnd("stop_gradient", verbatim("A constant to the backward pass."), 3),
    ),
    first_not_finite=FirstNotFinite(9, "nan", 3, verbatim("NaN first appears here.")),
    check=DifferenceCheck(True, verbatim("Agree to 5 digits.")),
    notes=(verbatim("The gradient of the sum."),),
)

ROW, KEY = ShapedArray((10,), jnp.float32), jax.typeof(jax.random.key(0))
_CALL = VmapCall(
    32,
    "noisy",
    [],
    ("key", "x"),
    [MappedArray(KEY, KEY, None), MappedArray(ROW, ShapedArray((10, 32), jnp.float32), 1)],
    [MappedArray(ROW, ShapedArray((32, 10), jnp.float32), 0)],
)
SHARED, SAME = verbatim("all 32 draw the same"), verbatim("the same for all 32")


def of_vmap(primitive: str, batch: str, mapped: tuple[int, ...], index: int, became: Text = NOTHING) -> VmapEquation:
    """Return an operation of the one vmap; one that is not mapped draws with the key that all share."""
    along, is_draw = (0,) * len(mapped), primitive == "random_bits"
    shared = () if mapped else (0,)
    types = ("f32[10]",), (batch,)
    return VmapEquation(
        primitive, *types, (mapped,), (along,), ((),), (0,), index, (), 3, 0, -1, became, is_draw, shared, ""
    )


VMAP = Vmaps(
    (_CALL,),
    ("i",),
    (9,),
    (
        of_vmap("random_bits", "f32[10]", (), 0, SHARED),
        of_vmap("sub", "f32[10]", (), 1, SAME),
        of_vmap("mul", "f32[10]", (), 1, SAME),
        of_vmap("add", "f32[32,10]", (0,), 2),
    ),
    4,
    NOTHING,
)
_MUL = VmapEquation(
    "mul", ("f32[4]",), ("f32[3,5,4]",), ((0, 1),), ((0, 1),), ((1,),), (0, 1), -1, (), 0, 0, -1, NOTHING, False, (), ""
)
FOUR = ShapedArray((4,), jnp.float32)
NESTED = Vmaps(
    (
        VmapCall(3, "f", [], ("a",), [MappedArray(FOUR, ShapedArray((3, 4), jnp.float32), 0)]),
        VmapCall(5, "g", [], ("b",), [MappedArray(FOUR, ShapedArray((5, 4), jnp.float32), 0)]),
    ),
    ("i", "j"),
    (0, 0),
    (_MUL,),
    1,
    NOTHING,
)

_SHARDING = "NamedSharding(mesh=Mesh('i': 2, 'j': 2), spec=P('i',))"
DEVICES = Devices(
    (
        ShardedArray(
            "x", "f32[8,4]", "input", "SingleDeviceSharding", (1, 1), (Shard(0, "[:, :]", (0, 0), 128, False),)
        ),
        ShardedArray("n", "i64[3]", "input", ""),
        ShardedArray(
            "xs",
            "f32[8,4]",
            "inside",
            _SHARDING,
            (2, 1),
            tuple(Shard(n, f"[{n // 2 * 4}:{n // 2 * 4 + 4}, :]", (n // 2, 0), 64, True) for n in range(4)),
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
            (Shard(0, "[]", (), 4, True), Shard(1, "[]", (), 4, True)),
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
            tuple(Shard(n, "", (n // 2, n % 2), 16, False) for n in range(4)),
            4,
            "jit of f",
        ),
    ),
    devices=(0, 1, 2, 3),
    collectives=(
        Collective("all-reduce", "psum.1", 4, "f32[4]", "f32[4]", 16, ((0, 2), (1, 3)), (), True),
        Collective("all-gather", "gather.1", 5, "f32[4]", "f32[16]", 64, ((0, 1, 2, 3),), (), False, 2),
        Collective("collective-permute", "p.1", 6, "f32[4]", "f32[4]", 16, (), ((0, 1), (1, 0)), False),
    ),
    notes=(verbatim("A note."),),
    left_out=1200,
)


def _asked(x: str, n: str) -> CacheKey:
    shape = f"({x[x.index('[') + 1 : -1]},)"
    return CacheKey((CallInput("x", x, shape, "float32"), CallInput("n", n, static=n)), 0, "(*, n=static)", 1)


def call(number: int, **facts: Any) -> LensCall:
    return LensCall(number, "step", **{"line": 9, "traces": 1, **facts})


CALLS = VariantCalls(
    (
        call(
            1,
            asked=_asked("f32[3]", "1"),
            lines=(4, 5, 7),
            traced=(
                TracedLine(4, "for each in range(n):", times=2),
                TracedLine(5, "y = x + each", ("y: f32[3]",)),
                TracedLine(7, "print(y)", printed="JitTracer(float32[3])\n"),
            ),
            printed="JitTracer(float32[3])\n",
            leaks=(EscapedTracer("seen[0]", "f32[3]", 5),),
        ),
        call(2, hit=True, asked=_asked("f32[3]", "1"), nearest=1),
        call(
            3,
            asked=_asked("f32[5]", "2"),
            line=10,
            lines=(4,),
            traced=(TracedLine(4, "for each in range(n):"),),
            differs=(KeyDifference("shape", "x"), KeyDifference("static value", "n")),
            nearest=1,
            traces=2,
            error="ValueError: no",
        ),
    ),
    3,
    2,
    (verbatim("It is run twice."),),
)


def block(kind: Any, type_: str, size: int, spans: tuple[tuple[int, int], ...], **facts: Any) -> Block:
    plain: dict[str, Any] = {"name": "", "operation": "", "line": 0, "last_line": 0, "donated": False}
    return Block(kind, type_, size, spans, **{**plain, **facts})


MEMORY = Memory(
    blocks=(
        block("argument", "f32[256]", 1024, ((0, 5),), name="params['w']"),
        block("argument", "f32[256]", 1024, ((0, 5),), name="params['b']"),
        block("residual", "f32[512]", 2048, ((0, 4),), operation="tanh", line=3, last_line=3),
        block("residual", "f32[512]", 2048, ((1, 3),), operation="tanh", line=3, last_line=3),
        block("temporary", "f32[256]", 1024, ((0, 0), (3, 3)), operation="mul", line=5, last_line=6),
        block("output", "f32[256]", 1024, ((4, 5),), operation="sub", line=6),
    ),
    lines=(3, 3, 0, 5, 6, 6),
    live=(5120, 6144, 6144, 7268, 5120, 3072),
    loops=(CompiledLoop(0, 1, 12), CompiledLoop(3, 3, 0)),
    argument_bytes=2048,
    output_bytes=1024,
    temporary_bytes=6144,
    library=Library(1 << 20, 5, ""),
    left_out=3,
    left_out_bytes=100,
)
