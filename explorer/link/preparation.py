"""Finds the beginning of a program that prepares JAX's start, for a fresh process to run before it imports JAX.

JAX reads ``JAX_*`` variables while it is imported. XLA reads ``XLA_FLAGS``, and JAX the number of its CPU devices, when
the first operation starts a backend. In a process that has served another program it is too late for both.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from explorer.messages import Prepare

_VARIABLE = re.compile(r"(environ|putenv)\b.*['\"](JAX|XLA|TF|CUDA|NVIDIA|NCCL|ROCR|HIP|TPU|LIBTPU|OMP|MKL)_", re.S)
"""The setting of a variable that JAX or XLA reads at its start."""
_ANY_VARIABLE = re.compile(r"environ\[\w+\] *=|putenv\(\w|environ\.update\((?!\{)")
"""One whose name is known only while the program runs, or a keyword."""
_SETTING = re.compile(r"config\.update\(\s*['\"]jax_(num_cpu|platform|cpu_|cuda_|rocm_|pjrt_|mock_)")
"""The setting of a flag that a backend reads at its start."""
_ALL = (_VARIABLE, _ANY_VARIABLE, _SETTING)


def of(source: str, filename: str, unreadable: Prepare | None = None) -> Prepare | None:
    """Return the code up to the last statement of the top level that prepares JAX; None where nothing does.

    The import of a module beside the program counts where that module prepares JAX. For code that cannot be read,
    return `unreadable`.
    """
    try:
        end = _end(source, Path(filename).parent, {filename})
    except (SyntaxError, ValueError, RecursionError):
        return unreadable
    return Prepare(filename, "\n".join(source.split("\n")[:end])) if end else None


def _end(source: str, folder: Path, seen: set[str]) -> int:
    """Return the last line of what prepares JAX, 0 for nothing. Raises what `ast.parse` raises."""
    statements = ast.parse(source).body
    return max((each.end_lineno or 0 for each in statements if _prepares(each, source, folder, seen)), default=0)


def _prepares(statement: ast.stmt, source: str, folder: Path, seen: set[str]) -> bool:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return False
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        text = ast.get_source_segment(source, statement) or ""
        return not text.startswith("if __name__") and any(each.search(text) for each in _ALL)
    for path in _beside(statement, folder):
        if str(path) not in seen:
            seen.add(str(path))
            if _end(path.read_text(encoding="utf-8", errors="replace"), folder, seen):
                return True
    return False


def _beside(statement: ast.Import | ast.ImportFrom, folder: Path) -> Iterator[Path]:
    """Yield the files beside the program that `statement` imports."""
    names = [each.name for each in statement.names]
    if isinstance(statement, ast.ImportFrom):
        names = [f"{statement.module}", *(f"{statement.module}.{name}" for name in names)]
    for name in names:
        place = folder.joinpath(*name.split("."))
        if name.partition(".")[0] not in sys.stdlib_module_names:
            yield from (each for each in (place.with_suffix(".py"), place / "__init__.py") if each.is_file())
