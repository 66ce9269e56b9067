"""Programs that know JAX, in the worker and in plain Python: each gives the same value, or the same kind of error."""

from __future__ import annotations

import contextlib
import io
import random
import re
import sys
import warnings

from explorer.link.pipe import WorkerEnded, WorkerPipe
from explorer.messages import Request, Snapshot
from tools.endurance import jax_programs
from tools.endurance.promises import Record

PATIENCE_S = 60.0
ROUND = 100
"""Programs of one worker."""
SHOWN = "= "
PROGRAM = """{head}
def plain(x):
    if not hasattr(x, 'dtype'): return x
    x = jax.random.key_data(x) if jnp.issubdtype(x.dtype, jax.dtypes.prng_key) else x
    return x.dtype, np.asarray(x).tolist()
def f():
    try: found = repr(jax.tree.map(plain, {value}))
    except Exception as error: found = type(error).__name__
    print({shown!r} + found, len(seen))
"""


def run(record: Record, most: int = sys.maxsize) -> None:
    """Compare programs until the time of `record` is over, or there were `most`."""
    chance = random.Random(record.seed)
    while record.goes_on(most):
        with WorkerPipe() as worker:
            worker.hello()
            for _ in range(ROUND):
                if not record.goes_on(most):
                    break
                source = PROGRAM.format(head=jax_programs.HEAD, value=jax_programs.expression(chance), shown=SHOWN)
                record.begin(source)
                try:
                    *_, last = worker.ask(Request(record.runs, source, "<code>", variants=("f",)), PATIENCE_S)
                except (WorkerEnded, TimeoutError) as error:
                    record.fail("no answer", repr(error), source)
                    break
                assert isinstance(last, Snapshot)
                _compare(record, "".join(each.printed for each in last.reports), source)


def _compare(record: Record, printed: str, source: str) -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names: dict[str, object] = {"__name__": "compared"}
        exec(compile(source, "<code>", "exec"), names)
        names["f"]()  # type: ignore[operator]
    there, here = ([*map(_lasting, filter(_is_shown, text.splitlines()))] for text in (printed, out.getvalue()))
    record.count("values" if "dtype(" in here[0] else "errors, and what is no array")
    if there != here:
        record.fail("another result", f"{there}\nPython: {here}", source)


def _is_shown(line: str) -> bool:
    return line.startswith(SHOWN)


def _lasting(line: str) -> str:
    """Return a line without addresses of objects."""
    return re.sub("0x[0-9a-f]+", "", line)
