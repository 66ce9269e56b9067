"""``%%keys``: a notebook cell that is recorded."""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

from explorer.commands.programs import script
from explorer.messages.recorded_run import is_recording
from explorer.recording import RecordedKeys, recorded_keys

OPTIONS = ("--values", "--save FILE")


class NoSuchOption(Exception):
    """An invalid option after ``%%keys``; the message says why."""

    def _render_traceback_(self) -> list[str]:
        """Return the notebook's display of the error, without our frames."""
        return [f"NoSuchOption: {self}"]


class _Unreadable(Exception):
    """A SyntaxError of the cell: the notebook would show all frames of a real one, including ours."""

    def __init__(self, lines: list[str], message: str) -> None:
        super().__init__(message)
        self._lines = lines

    def _render_traceback_(self) -> list[str]:
        return self._lines


_Unreadable.__name__ = "SyntaxError"


def register(shell: Any) -> None:
    def keys(line: str, cell: str) -> None:
        run(shell, line, cell)

    keys.__doc__ = (
        "Run the cell and show below it what it did with JAX's random keys. %%keys --values checks values, too; "
        "--save FILE.jaxrec writes a recording."
    )
    shell.register_magic_function(keys, "cell", "keys")


def run(shell: Any, line: str, cell: str) -> None:
    """Run `cell` as the notebook does, display its value and the recording. Raises NoSuchOption, and its exceptions."""
    values, file = _options(line)
    result: Any = None
    recorded: RecordedKeys | None = None
    try:
        with _errors_of_the_cell(shell):
            with recorded_keys(values=values, aside=_cell_around(shell), save=file) as recorded:
                result = _value_of(shell, cell)
            if result is not None:
                sys.displayhook(result)
    finally:
        if recorded is not None:
            shell.display_pub.publish({"text/html": recorded.html(result), "text/plain": recorded.report()})
            if file:
                recorded.save(file)


def _options(line: str) -> tuple[bool, str]:
    """Return whether values are checked, and the file for the recording. Raises NoSuchOption."""
    words, values, file = line.split(), False, ""
    while words:
        match words.pop(0):
            case "--values":
                values = True
            case "--save" if words and is_recording(words[0]):
                file = words.pop(0)
            case "--save":
                raise NoSuchOption("%%keys --save needs the name of a file that ends in .jaxrec.")
            case other:
                raise NoSuchOption(f"%%keys knows no {other}. There is {', '.join(OPTIONS)}.")
    return values, file


@contextlib.contextmanager
def _errors_of_the_cell(shell: Any) -> Iterator[None]:
    """Show errors in the block as the notebook does, without our frames."""
    try:
        yield
    except SyntaxError as error:
        raise _Unreadable(_from_the_cell_on(shell, error), str(error)) from None
    except BaseException as error:
        lines = _from_the_cell_on(shell, error)
        with contextlib.suppress(Exception):
            error._render_traceback_ = lambda: lines  # type: ignore[attr-defined]
        raise


def _value_of(shell: Any, cell: str) -> Any:
    """Run `cell` in the notebook's namespace, and return the value of its final expression. Raises SyntaxError."""
    # As Python, without the notebook's own notations.
    code = shell.transform_cell(cell)
    # The number in front of the cell; the notebook's counter may be at the next cell already.
    number = len(shell.user_ns.get("In", ("",))) - 1
    filename = shell.compile.cache(code, number, raw_code=cell)
    body = shell.transform_ast(shell.compile.ast_parse(code, filename=filename)).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), filename, "exec", shell.compile.flags), shell.user_ns)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), filename, "eval", shell.compile.flags), shell.user_ns)


def _cell_around(shell: Any) -> str:
    """Return the file name of the running cell: a single line that calls the magic with the user code."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        with contextlib.suppress(Exception):
            if shell.compile.format_code_name(frame.f_code.co_filename):
                return frame.f_code.co_filename
        frame = frame.f_back
    return ""


def _from_the_cell_on(shell: Any, error: BaseException) -> list[str]:
    """Return the notebook's traceback of `error`, from the user's cell on."""
    lines: list[str] = []
    with contextlib.suppress(Exception):
        lines = shell.InteractiveTB.structured_traceback(type(error), error, script.without_ours(error.__traceback__))
    return lines or [f"{type(error).__name__}: {error}"]
