"""``%%keys``: a cell of a notebook, recorded."""

from __future__ import annotations

import ast
import contextlib
import sys
from typing import Any

from explorer.commands import script
from explorer.recording import RecordedKeys, recording

OPTIONS = ("--values",)


class NoSuchOption(Exception):
    """What stands behind ``%%keys`` cannot be meant; the message says why."""

    def _render_traceback_(self) -> list[str]:
        """Return what the notebook shows: our own lines say nothing to a person."""
        return [f"NoSuchOption: {self}"]


def register(shell: Any) -> None:
    """Give `shell` the magic."""

    def keys(line: str, cell: str) -> None:
        run(shell, line, cell)

    keys.__doc__ = (
        "Run the cell and show below it what it did with JAX's random keys. %%keys --values looks at values too."
    )
    shell.register_magic_function(keys, "cell", "keys")


def run(shell: Any, line: str, cell: str) -> None:
    """Run `cell` as the notebook itself does, show its value, and below it what was recorded."""
    unknown = [word for word in line.split() if word not in OPTIONS]
    if unknown:
        raise NoSuchOption(f"%%keys knows no {unknown[0]}. There is {', '.join(OPTIONS)}.")
    result: Any = None
    recorded: RecordedKeys | None = None
    try:
        with recording(values="--values" in line.split()) as recorded:
            result = _run(shell, cell)
        if result is not None:
            sys.displayhook(result)
    except BaseException as error:
        _without_ours(shell, error)
        raise
    finally:
        if recorded is not None:
            _show(shell, recorded, result)


def _run(shell: Any, cell: str) -> Any:
    """Run `cell` in the notebook's own names, and return the value of the expression that ends it."""
    code = shell.transform_cell(cell)
    # The number in front of the cell; the one that the notebook counts may be that of the next cell already.
    number = len(shell.user_ns.get("In", ("",))) - 1
    filename = shell.compile.cache(code, number, raw_code=cell)
    body = shell.transform_ast(shell.compile.ast_parse(code, filename=filename)).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), filename, "exec", shell.compile.flags), shell.user_ns)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), filename, "eval", shell.compile.flags), shell.user_ns)


def _show(shell: Any, recorded: RecordedKeys, result: Any) -> None:
    shell.display_pub.publish({"text/html": recorded.html(result), "text/plain": recorded.report()})


def _without_ours(shell: Any, error: BaseException) -> None:
    """Let the notebook show the traceback of `error` from the person's cell on."""
    rest = script.without_ours(error.__traceback__)
    with contextlib.suppress(Exception):
        lines = shell.InteractiveTB.structured_traceback(type(error), error, rest)
        error._render_traceback_ = lambda: lines  # type: ignore[attr-defined]
