"""Communication between devices, read off the texts of compilers for several kinds of devices."""

from __future__ import annotations

import pytest

from explorer.worker.runs.lenses.collectives import collectives, groups, jax_types, pairs, type_bytes

ASYNCHRONOUS = """\
HloModule jit_f, num_partitions=4

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

%async_computation (p: f32[8]) -> f32[2] {
  %p = f32[8]{0} parameter(0)
  ROOT %reduce-scatter.1 = f32[2]{0} reduce-scatter(%p), channel_id=3, replica_groups=[1,4]<=[4], dimensions={0}
}

%round (state: (s32[], bf16[4])) -> (s32[], bf16[4]) {
  %state = (s32[], /*index=1*/bf16[4]{0:T(256)}) parameter(0)
  %x = bf16[4]{0:T(256)} get-tuple-element(%state), index=1
  %all-reduce-start = bf16[4]{0:T(256)} all-reduce-start(%x), channel_id=1, replica_groups={}, to_apply=%add
  %all-reduce-done = bf16[4]{0:T(256)} all-reduce-done(%all-reduce-start)
}

ENTRY %main (x: f32[8], y: pred[3]) -> f32[32] {
  %x = f32[8]{0} parameter(0), metadata={op_name="x"}
  %y = pred[3]{0} parameter(1)
  %loop = (s32[], bf16[4]{0}) while(%start), condition=%test, body=%round, backend_config={"n":"3"}
  %rs = ((f32[8]{0}), f32[2]{0}) async-start(%x), calls=%async_computation
  %all-gather-start = (f32[8]{0}, f32[32]{0}) all-gather-start(%x), replica_groups={{0,1,2,3}}, dimensions={0}
  %permute = pred[3]{0} collective-permute(%y), source_target_pairs={{0,1},{1,0}}
  ROOT %all-gather-done = f32[32]{0} all-gather-done(%all-gather-start)
}
"""


def test_what_is_begun_and_awaited_is_one_operation() -> None:
    found = collectives(ASYNCHRONOUS, [0] * 100, [3, 2, 1, 0])
    assert [(each.operation, each.given, each.shape, each.bytes, each.in_loop) for each in found] == [
        ("reduce-scatter", "f32[8]", "f32[2]", 8, False),
        ("all-reduce", "bf16[4]", "bf16[4]", 8, True),
        ("all-gather", "f32[8]", "f32[32]", 128, False),
        ("collective-permute", "bool[3]", "bool[3]", 3, False),
    ]
    assert [each.groups for each in found] == [((3, 2, 1, 0),)] * 3 + [()]
    assert found[-1].pairs == ((3, 2), (2, 3))


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("replica_groups={}", ((0, 1, 2, 3, 4, 5, 6, 7),)),
        ("replica_groups={{0,4},{1,5}}, to_apply=%add", ((0, 4), (1, 5))),
        ("replica_groups=[2,4]<=[8], dimensions={0}", ((0, 1, 2, 3), (4, 5, 6, 7))),
        ("replica_groups=[4,2]<=[2,4]T(1,0)", ((0, 4), (1, 5), (2, 6), (3, 7))),
        ("replica_groups=mesh['a'=2,'b'=4] {'b'}", ((0, 1, 2, 3), (4, 5, 6, 7))),
        ("replica_groups=mesh['a'=2,'b'=4] {'a'}", ((0, 4), (1, 5), (2, 6), (3, 7))),
        ("replica_groups=mesh['a'=2,'b'=4] {'a','b'}", ((0, 1, 2, 3, 4, 5, 6, 7),)),
        ("replica_groups=mesh['b'=8] {'b':(1)2}", ((0, 4), (1, 5), (2, 6), (3, 7))),
        ("replica_groups=mesh['b'=8] {'b':(4)2}", ((0, 1), (2, 3), (4, 5), (6, 7))),
        ("replica_groups=mesh['b'=8], device_ids=([2,4]) {'b'}", None),
        ("replica_groups=mesh['b'=8] {'c'}", None),
        ("channel_id=1", None),
    ],
)
def test_groups_in_each_way_of_writing_them(written: str, found: object) -> None:
    assert groups(written, 8) == found


def test_pairs_of_a_permutation() -> None:
    assert pairs("source_target_pairs={{0,1},{1,2}}, metadata={}") == ((0, 1), (1, 2))
    assert pairs("replica_groups={{0,1}}") == ()


@pytest.mark.parametrize(
    ("written", "size", "types"),
    [
        ("f32[2,4]{1,0}", 32, "f32[2,4]"),
        ("(f32[1,2]{1,0}, f32[1,2]{1,0}, s8[3]{0})", 19, "2 × f32[1,2] i8[3]"),
        ("pred[]", 1, "bool[]"),
        ("s4[3]{0:E(4)}", 2, "i4[3]"),
        ("c64[0,8]{1,0}", 0, "c64[0,8]"),
        ("f8e4m3fn[16]{0}", 16, "f8e4m3fn[16]"),
        ("bf16[8]{0:T(8,128)(2,1)S(1)}", 16, "bf16[8]"),
        ("token[]", 0, "token[]"),
        ("", 0, ""),
    ],
)
def test_the_bytes_of_a_type(written: str, size: int, types: str) -> None:
    assert (type_bytes(written), jax_types(written)) == (size, types)
