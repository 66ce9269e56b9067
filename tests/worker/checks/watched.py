"""Programs that are watched in this process: the values of functions, and what is traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from explorer.messages import Finding
from explorer.worker.checks.tracing import recompiles
from explorer.worker.checks.tracing.inspection import Inspection
from explorer.worker.checks.values import findings, watch
from explorer.worker.code import calls, trees, user_code
from explorer.worker.program.retraces import CompilationMeter
from explorer.worker.runs.observe import Watches


def found(program: Callable[[], Any]) -> list[Finding]:
    """Return the findings of a run of `program`, whose file counts as user code."""
    filename = program.__code__.co_filename
    with watch.watched(lambda name: name == filename) as log:
        outputs = program()
    log.comes_out(outputs)
    assert log.guard.error is None
    return list(findings.value_findings(log))


def alarms(program: Callable[[], Any]) -> list[str]:
    """Return the messages about `program` at level bug or warning."""
    return [f"line {each.line}: {each.message}" for each in found(program) if each.level != "note"]


def found_while_tracing(source: str, variant: str) -> list[Finding]:
    """Return the findings of `variant` of `source`, which is loaded once. Raises what it raises."""

    def is_user_code(name: str) -> bool:
        return name == "<case>"

    inspection, meter, watches = Inspection(is_user_code), CompilationMeter(is_user_code), Watches(is_user_code)
    with inspection.watching(), watches.watching():
        program = user_code.load(source, "<case>", compiled=inspection.compiled)
        with meter.watching():
            trees.waited_for(calls.call(program.function(variant, ()), {}))
    assert watches.error is None, watches.error
    return [*inspection.findings(), *recompiles.find(meter.traces(), meter.bodies()), *watches.findings()]
