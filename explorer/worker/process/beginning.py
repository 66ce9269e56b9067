"""Runs the beginning of a program that prepares JAX's start, as Python would, in a process that has no JAX yet."""

from __future__ import annotations

import ast
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


@contextlib.contextmanager
def run(filename: str, code: str) -> Iterator[None]:
    """Run the statements of `code` until one of them starts a backend; the environment stays as they leave it inside.

    What they print is lost, and an error other than a missing import ends them: the run that is shown has both.
    """
    environment, modules = dict(os.environ), set(sys.modules)
    # Our own default; XLA_FLAGS would not count beside it.
    if os.environ.get("JAX_NUM_CPU_DEVICES") == "1":
        del os.environ["JAX_NUM_CPU_DEVICES"]
    folder = str(Path(filename).parent)
    sys.path.insert(0, folder)
    names: dict[str, Any] = {"__name__": "__beginning__", "__file__": filename}
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(nowhere))
        stack.enter_context(contextlib.redirect_stderr(nowhere))
        stack.enter_context(contextlib.suppress(BaseException))
        for statement in ast.parse(code).body:
            # The run that is shown may go on without a plotting library.
            with contextlib.suppress(ImportError):
                exec(compile(ast.Module([statement], []), filename, "exec"), names)
            if _has_started():
                break
    sys.path.remove(folder)
    for name in set(sys.modules) - modules:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(folder + os.sep):
            # The program imports its own modules anew.
            del sys.modules[name]
    yield
    os.environ.clear()
    os.environ.update(environment)


def _has_started() -> bool:
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bridge is not None and bridge.backends_are_initialized()
