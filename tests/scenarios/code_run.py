"""The code of each scenario, run once as a script with plain JAX."""

from __future__ import annotations

import contextlib
import functools
import io
import runpy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax
import pytest

from explorer.library import library
from explorer.scenario import packages
from explorer.scenario.scenario import Scenario

SCENARIOS = {scenario.id: scenario for scenario in library.built_in()}
each_scenario = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)


def _runs(scenario: Scenario) -> pytest.MarkDecorator:
    """Return the mark that skips a lesson whose packages are not installed; the group `libraries` has them."""
    return pytest.mark.skipif(bool(packages.missing(scenario)), reason=str(packages.sentence(scenario)))


def that_run(quick: int = 1) -> pytest.MarkDecorator:
    """Give a test each scenario whose packages are installed; the quick tests get every `quick`-th one."""
    marks = [(_runs(each), *in_turn(number, quick)) for number, each in enumerate(SCENARIOS.values())]
    params = [pytest.param(each, marks=those) for each, those in zip(SCENARIOS.values(), marks, strict=True)]
    return pytest.mark.parametrize("scenario", params, ids=SCENARIOS)


def in_turn(number: int, quick: int) -> tuple[pytest.MarkDecorator, ...]:
    """Return the mark that leaves a case to ``--all``, unless its number is a multiple of `quick`."""
    return (pytest.mark.rest,) if number % quick else ()


@dataclass(frozen=True)
class Script:
    """A scenario's code after running by itself, with its printed output."""

    names: Mapping[str, Any]
    printed: str


@functools.cache
def script(name: str) -> Script:
    """Return the result of running the code of scenario `name` as a script."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        names = runpy.run_path(SCENARIOS[name].path, run_name="__main__")
    _forget_tracers(names)
    return Script(names, printed.getvalue())


def _forget_tracers(names: Mapping[str, Any]) -> None:
    """Empty the lists in which a lesson keeps tracers: tests of other programs would find them, too."""
    for value in names.values():
        if isinstance(value, list) and any(isinstance(each, jax.core.Tracer) for each in value):
            value.clear()
