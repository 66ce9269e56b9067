from __future__ import annotations

import pytest

from explorer.messages import Parameter, Value
from explorer.worker.code.calls import arguments_of, placed
from explorer.worker.code.user_code import BadProgram, load
from tests.worker.analysed import snapshot

FUTURE = "from __future__ import annotations\n"
SCENARIO = '''
import math
from math import sqrt

def inputs(batch=32, rate=0.5, name="a", flag=True, shape=(2, 3)):
    return dict(x=batch, key=rate)

def helper(example):
    return example

def plain(x, key):
    """Do it.

    More."""
    return x

def one(x, *, scale=2.0):
    return x * scale

def _private(x):
    return x

class Model:
    def __init__(self, x):
        self.x = x

doubled = lambda x: 2 * x
NUMBER = 3
'''


def names(source: str, given: dict[str, object], **scenario: tuple[str, ...]) -> list[str]:
    return [variant.name for variant in load(source, "<t>", **scenario).variants(given)]


def test_variants_are_what_the_inputs_can_feed_and_get_only_what_they_take() -> None:
    program = load(SCENARIO, "<t>")
    found = program.variants(program.inputs())
    assert [(variant.name, variant.doc) for variant in found] == [("plain", "Do it."), ("one", ""), ("doubled", "")]
    assert SCENARIO.splitlines()[found[0].line - 1].startswith("def plain")
    assert arguments_of(program.function("one", {"x": 1}), {"x": 1, "key": 2}) == {"x": 1}
    assert arguments_of(lambda **anything: anything, {"x": 1, "key": 2}) == {"x": 1, "key": 2}


def test_named_variants_come_first_without_helpers_and_without_inputs_what_takes_no_argument() -> None:
    given = {"x": 1, "key": 2}
    assert names(SCENARIO, given, named=("doubled", "gone"), hidden=("plain",)) == ["doubled", "one"]
    source = "def a(): return 1\ndef b(x): return x\ndef c(x=1): return x\ndef main(): ...\n"
    assert names(source, {}) == ["a", "c"]


def test_the_signature_of_inputs_makes_the_parameters() -> None:
    parameters = load(SCENARIO, "<t>", {"batch": 8}).parameters
    assert parameters == (
        Parameter("batch", 8, 32),
        Parameter("rate", 0.5, 0.5),
        Parameter("name", "a", "a"),
        Parameter("flag", True, True),
    )


@pytest.mark.parametrize(
    ("name", "value", "converted"), [("rate", 2, 2.0), ("batch", 8.0, 8), ("name", "b", "b"), ("flag", False, False)]
)
def test_a_setting_takes_the_type_of_the_default(name: str, value: Value, converted: Value) -> None:
    (parameter,) = [each for each in load(SCENARIO, "<t>", {name: value}).parameters if each.name == name]
    assert (parameter.value, type(parameter.value)) == (converted, type(converted))


@pytest.mark.parametrize(("name", "value"), [("batch", 1.5), ("batch", "many"), ("flag", 1), ("name", 3)])
def test_a_setting_of_another_type_is_refused_in_words(name: str, value: Value) -> None:
    with pytest.raises(BadProgram, match=name):
        load(SCENARIO, "<t>", {name: value})


def test_a_setting_that_inputs_does_not_have_is_refused_or_left_alone_after_an_edit() -> None:
    with pytest.raises(BadProgram, match="no parameter size"):
        load(SCENARIO, "<t>").with_parameters({"size": 3})
    assert [each.name for each in load("def inputs(size=4): ...", "<t>", {"batch": 8, "size": 5}).parameters] == [
        "size"
    ]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def inputs(n): return {}", "default for its argument n"),
        ("def inputs(): return [1]", "returned a list"),
        ("def inputs(): return {1: 2}", "names"),
    ],
)
def test_bad_inputs_are_reported(source: str, words: str) -> None:
    with pytest.raises(BadProgram, match=words):
        load(source, "<t>").inputs()


def test_a_variant_that_wants_more_than_there_is_says_what() -> None:
    program = load("def inputs(): return dict(x=1)\ndef f(x, key, mask): return x\n", "<t>")
    with pytest.raises(BadProgram, match="f needs key and mask"):
        program.function("f", program.inputs())
    with pytest.raises(BadProgram, match="no function named g"):
        program.function("g", {})


@pytest.mark.parametrize(
    ("function", "by_position", "by_name"),
    [
        ("lambda x, key: None", (1, 2), {}),
        ("lambda key, /, x: None", (2, 1), {}),
        ("lambda x, *, key: None", (1,), {"key": 2}),
        ("lambda key, scale=1.0, x=0: None", (2,), {"x": 1}),
        ("lambda x, *rest, key: None", (1,), {"key": 2}),
        ("lambda **anything: None", (), {"x": 1, "key": 2}),
        ("partial(lambda x, n, key: None, n=3)", (1,), {"key": 2}),
        ("type", (), {"x": 1, "key": 2}),
    ],
)
def test_arguments_are_handed_over_by_position_where_that_is_possible(
    function: str, by_position: tuple[int, ...], by_name: dict[str, int]
) -> None:
    program = load(f"from functools import partial\nf = {function}\n", "<t>")
    assert placed(program.module.f, {"x": 1, "key": 2}) == (by_position, by_name)


def test_dataclasses_and_tracebacks_find_the_module_and_its_lines() -> None:
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass P:\n    w: int\n\ndef f():\n    raise ValueError(P(1).w)\n"
    )
    program = load(source, "<lines>")
    with pytest.raises(ValueError, match="1") as caught:
        program.function("f", {})()
    assert "raise ValueError" in str(caught.traceback[-1].statement)


def test_what_the_code_imports_from_the_future_is_its_own_choice() -> None:
    plain, later = load("def f(x: int): ...\n", "<t>"), load(f"{FUTURE}def f(x: int): ...\n", "<t>")
    assert plain.function("f", ["x"]).__annotations__ == {"x": int}
    assert later.function("f", ["x"]).__annotations__ == {"x": "int"}


# -- any kinds of arguments --------------------------------------------------------------------


INPUTS = "def inputs():\n    return dict(x=1.0, y=2.0)\n\n\n"
RUN = ["", "x", "x, /", "*, x", "*x", "**x", "x, *, y", "x=3", "x, /, y", "x, *rest", "x, **more", "*x, y", "*, x, **y"]
LACKING = {
    "z": "z",
    "x, z": "z",
    "*, z": "z",
    "z, /": "z",
    "_": "_",
    "x, /, z, *, w, y=1": "z and w",
    "z, w, v": "z, w and v",
    "x, *rest, z, **more": "z",
}


@pytest.mark.parametrize("arguments", RUN)
def test_what_fits_is_given(arguments: str) -> None:
    result = snapshot(f"{INPUTS}def f({arguments}):\n    return 1.0\n")
    assert result.failure is None
    assert [(each.name, each.status, each.failure) for each in result.reports] == [("f", "ok", None)]


@pytest.mark.parametrize(("arguments", "names"), LACKING.items(), ids=LACKING)
@pytest.mark.parametrize("variants", [(), ("f",)])
@pytest.mark.parametrize("head", [INPUTS, ""])
def test_what_lacks_is_named(arguments: str, names: str, variants: tuple[str, ...], head: str) -> None:
    result = snapshot(f"{head}def f({arguments}):\n    return 1.0\n", variants=variants)
    assert str(result.failure.message).startswith("f needs ")
    named = str(result.failure.message).removeprefix("f needs ").partition(", which")[0].partition(", and there is")[0]
    assert all(each.strip().isidentifier() for each in named.replace(" and ", ", ").split(", "))
    assert head == "" or named == names
