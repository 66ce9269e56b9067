"""The code of each scenario, run once as a script with plain JAX, and the outputs of its variants."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import runpy
from collections.abc import Callable, Mapping
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


each_that_runs = that_run()


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


def afresh(name: str) -> dict[str, Any]:
    """Return the names that the code of scenario `name` defines, newly loaded, so that JAX has traced none of them."""
    return runpy.run_path(SCENARIOS[name].path)


@functools.cache
def result(name: str, variant: str, **parameters: Any) -> Any:
    """Return the output of one variant of scenario `name`. Raises what it raises."""
    names = script(name).names
    try:
        return call(names[variant], names["inputs"](**parameters))
    finally:
        _forget_tracers(names)


def _forget_tracers(names: Mapping[str, Any]) -> None:
    """Empty the lists in which a lesson keeps tracers: tests of other programs would find them, too."""
    for value in names.values():
        if isinstance(value, list) and any(isinstance(each, jax.core.Tracer) for each in value):
            value.clear()


def outputs(name: str, **parameters: Any) -> dict[str, Any]:
    """Return the outputs of all variants of scenario `name`."""
    return {plan.name: result(name, plan.name, **parameters) for plan in SCENARIOS[name].variants}


def call(function: Callable[..., Any], inputs: Mapping[str, Any]) -> Any:
    """Call `function` with those of `inputs` that it takes."""
    return function(**{name: value for name, value in inputs.items() if name in inspect.signature(function).parameters})
