"""Runs programs in plain Python, without our code: ``python plain_python.py JOBS``, an answer in each line."""

from __future__ import annotations

import atexit
import io
import json
import os
import sys
import traceback
import types
from pathlib import Path
from typing import Any


def main(jobs: str) -> None:
    """Call each variant once after loading its program; those that change the process run in their own process."""
    import jax  # noqa: F401  # once for all: no backend may be up when a process is forked

    # The forked ones come first.
    for job in sorted(json.loads(Path(jobs).read_text()), key=lambda each: each["kind"] != "process"):
        sys.stdout.write(json.dumps(_forked(job) if job["kind"] == "process" else _ran(job)) + "\n")
        sys.stdout.flush()


def _forked(job: dict[str, Any]) -> dict[str, Any]:
    read, write = os.pipe()
    if os.fork() == 0:
        with os.fdopen(write, "w") as out:
            out.write(json.dumps(_ran(job)))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        found: dict[str, Any] = json.loads(answer.read())
    os.wait()
    return found


def _ran(job: dict[str, Any]) -> dict[str, Any]:
    import jax

    exits: list[Any] = []
    atexit.register = lambda function, *given: exits.append((function, given))  # type: ignore[assignment]
    folder = str(Path(job["path"]).parent)
    before = set(sys.modules)
    sys.path.insert(0, folder)
    usual = sys.stdout, sys.stderr
    heard = sys.stdout = sys.stderr = io.StringIO()
    module = types.ModuleType("program")
    module.__file__ = job["path"]
    sys.modules["program"] = module
    record: dict[str, Any] = {"name": job["name"], "variant": job["variant"], "error": "", "values": []}
    try:
        exec(compile(Path(job["path"]).read_text(), job["path"], "exec"), module.__dict__)
        record["loading"] = heard.getvalue()
        given = module.inputs() if hasattr(module, "inputs") else {}
        result = jax.block_until_ready(getattr(module, job["variant"])(**given))
        jax.effects_barrier()
        record["values"] = [[str(each.dtype), each.tolist()] for each in jax.tree.leaves(result)]
        for function, arguments in reversed(exits):
            function(*arguments)
    except Exception as error:
        record["error"] = "".join(traceback.format_exception_only(error)).strip()
    record["printed"] = heard.getvalue().removeprefix(record.get("loading", ""))
    sys.stdout, sys.stderr = usual
    for each in vars(module).values():
        if isinstance(each, io.IOBase):
            each.flush()
    sys.path.remove(folder)
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(folder):
            del sys.modules[name]
    return record


if __name__ == "__main__":
    main(*sys.argv[1:])
