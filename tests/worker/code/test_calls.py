"""A function with any kinds of arguments gets the fitting inputs, and missing ones are named."""

from __future__ import annotations

import pytest

from tests.worker.analysed import snapshot

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
    assert result.failure is not None
    assert str(result.failure.message).startswith("f needs ")
    named = str(result.failure.message).removeprefix("f needs ").partition(", which")[0].partition(", and there is")[0]
    assert all(each.strip().isidentifier() for each in named.replace(" and ", ", ").split(", "))
    assert head == "" or named == names
