"""Changes that a program makes to its process are gone before the next one, asked of a real worker."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from explorer.link.pipe import WorkerPipe
from explorer.messages import FromWorker, Report, Request, Snapshot, UsedUp
from tests.link.shared_worker import SharedWorker

pytestmark = pytest.mark.process
PATIENCE_S = 60.0
IMPORTS = """
import asyncio, builtins, collections, decimal, gc, json, linecache, locale, logging, math, numbers, os, signal, socket
import sys, threading, time, warnings
import jax, jax.monitoring, jax.numpy as jnp, numpy as np
"""
CHANGES = {
    "current folder": ('os.chdir("/")', "os.getcwd()"),
    "environment": ('os.environ["MINE"] = "1"; os.environ.pop("PATH")', '"MINE" in os.environ, "PATH" in os.environ'),
    "time zone": ('os.environ["TZ"] = "Asia/Seoul"; time.tzset()', "time.tzname"),
    "path of imports": ('sys.path.insert(0, "/nowhere")', '"/nowhere" in sys.path'),
    "another path of imports": ('sys.path = ["/nowhere"]', "sys.path[0]"),
    "arguments": ('sys.argv[:] = ["mine"]', "sys.argv"),
    "output": ("import io; was = sys.stdout; sys.stdout = io.StringIO()", "type(sys.stdout).__name__"),
    "errors": ("sys.stderr = None", "sys.stderr is None"),
    "input": ("import io; sys.stdin = io.StringIO()", "type(sys.stdin).__name__"),
    "handlers of logging": ("logging.basicConfig(level=10)", "len(logging.root.handlers), logging.root.level"),
    "a logger": ('logging.getLogger("jax").setLevel(50)', 'logging.getLogger("jax").level'),
    "a new logger": ('logging.getLogger("mine").propagate = False', 'logging.getLogger("mine").propagate'),
    "filters of warnings": ('warnings.simplefilter("ignore")', "warnings.filters[0]"),
    "how warnings are shown": ("warnings.showwarning = print", "warnings.showwarning.__module__"),
    "limit of recursion": ("sys.setrecursionlimit(4321)", "sys.getrecursionlimit()"),
    "all modules": ("sys.modules = {**sys.modules, 'mine': 1}", "'mine' in sys.modules"),
    "a container of a module": ("linecache.cache = None", "linecache.cache is None"),
    "a mesh": ("jax.set_mesh(jax.make_mesh((1,), ('a',)))", "jax.sharding.get_mesh()"),
    "a hook for exceptions": ("sys.excepthook = print", "sys.excepthook is print"),
    "a hook of threads": ("threading.excepthook = print", "threading.excepthook is print"),
    "a built-in": ("builtins.mine = 1", 'hasattr(builtins, "mine")'),
    "a changed built-in": ("builtins.chr = str", "chr(65)"),
    "a constant": ("math.pi = 3", "math.pi"),
    "a function in C": ("math.sin = math.cos", "math.sin(0)"),
    "a deleted function": ("del math.tan", 'hasattr(math, "tan")'),
    "a function of jax": ("jnp.sin = jnp.cos", "float(jnp.sin(0.0))"),
    "a function inside jax": ("jax.random.normal = lambda *_: 0", "jax.random.normal.__name__"),
    "a function of numpy": ("np.zeros = np.ones", "np.zeros(1)[0]"),
    "a method of a class": ("json.JSONEncoder.encode = lambda *_: 'mine'", "json.dumps([], indent=1)"),
    "a method of jax's arrays": ("type(jnp.ones(1)).mine = 1", "hasattr(type(jnp.ones(1)), 'mine')"),
    "a method of a namedtuple": ("collections.UserDict.__len__ = lambda _: 7", "len(collections.UserDict())"),
    "a module of its own making": ('sys.modules["mine"] = type(sys)("mine")', '"mine" in sys.modules'),
    "a module replaced": ('sys.modules["csv"] = 1', 'type(sys.modules.get("csv")).__name__ == "int"'),
    "a module taken away": ('del sys.modules["json"]', '"json" in sys.modules'),
    "a module imported again": ("import importlib; importlib.reload(json).dumps = str", "json.dumps is str"),
    "a hook of imports": ("sys.meta_path.insert(0, None)", "None in sys.meta_path"),
    "tracing": ("sys.settrace(lambda *_: None)", "sys.gettrace() is None"),
    "profiling": ("sys.setprofile(lambda *_: None)", "sys.getprofile() is None"),
    "decimals": ("decimal.getcontext().prec = 3", "decimal.Decimal(1) / 3"),
    "traps of decimals": ("decimal.getcontext().traps[decimal.Inexact] = True", "decimal.getcontext()"),
    "division by zero": ('np.seterr(all="raise")', "np.geterr()"),
    "printing of arrays": ("np.set_printoptions(precision=2)", "np.array([1 / 3])"),
    "flag x64": ('jax.config.update("jax_enable_x64", True)', "jnp.ones(1).dtype"),
    "a context that is left open": ("jax.enable_x64(True).__enter__()", "jnp.ones(1).dtype"),
    "flag of nan": ('jax.config.update("jax_debug_nans", True)', "jax.config.jax_debug_nans"),
    "no jit": ('jax.config.update("jax_disable_jit", True)', "jax.config.jax_disable_jit"),
    "default device": (
        'jax.config.update("jax_default_device", jax.devices()[1])',
        "jax._src.config.default_device.get_global()",
    ),
    "default generator": ('jax.config.update("jax_default_prng_impl", "rbg")', "jax.random.key(0).dtype"),
    "products": ('jax.config.update("jax_default_matmul_precision", "float32")', "jax.config.values"),
    "listeners": ("jax.monitoring.register_event_listener(print)", "len(jax._src.monitoring._event_listeners)"),
    "a context variable": ("decimal.localcontext().__enter__().prec = 2", "decimal.getcontext().prec"),
}  # fmt: skip
FOR_EVER = {
    "a thread": ("threading.Thread(target=time.sleep, args=(600,)).start()", "thread"),
    "a pool": (
        "import concurrent.futures as c; f.pool = c.ThreadPoolExecutor(); f.pool.submit(print).result()",
        "thread",
    ),
    "a child": ('import subprocess; subprocess.Popen(["sleep", "600"])', "process"),
    "a hook for ever": ("sys.addaudithook(lambda *_: None)", "changed"),
    "the code of another's function": ("json.dumps.__code__ = (lambda *_: '').__code__", "changed"),
    "a member of a family": ("numbers.Number.register(str)", "changed"),
    "a rare setting": ("os.umask(0o77)", "changed"),
    "what C keeps to itself": ("import ctypes; ctypes.c_int(3)", "changed"),
    "files": ("builtins.kept = [os.open(os.devnull, 0) for _ in range(50)]", "files"),
    "a patch of what was not there": ("import shelve; shelve.open = lambda *_: 1", "changed"),
}
PLAIN = "def f():\n    print('fine')\n"


def asked(worker: SharedWorker | WorkerPipe, source: str, filename: str = "<code>") -> tuple[Report, list[FromWorker]]:
    everything = dict.fromkeys(("fixes", "finding_fixes", "jax_checker", "traces", "value_checks"), True)
    request = Request(1, source, filename, variants=("f",), timeout_s=PATIENCE_S, **everything)
    messages = list(worker.ask(request, PATIENCE_S))
    assert messages[-1].failure is None, messages[-1].failure
    return messages[-1].reports[0], messages


@pytest.fixture(scope="module")
def usual() -> dict[str, str]:
    """What programs print of the process as it is, by their code."""
    return {}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("where", ["at its top", "in a variant"])
def test_the_next_program_does_not_notice(
    worker: SharedWorker, change: tuple[str, str], where: str, usual: dict[str, str]
) -> None:
    does, seen = change
    notice = f"{IMPORTS}\ndef f():\n    print({seen})\n"
    before = usual.get(notice) or usual.setdefault(notice, asked(worker, notice)[0].printed)
    tell = f"print({seen}, file=out)"
    top = does if where == "at its top" else "pass"
    body = f"{does}; {tell}" if where == "in a variant" else tell
    own, messages = asked(worker, f"{IMPORTS}\nout = sys.stdout\n{top}\ndef f():\n    {body}\n    return 1\n")
    after, _ = asked(worker, notice)
    # Otherwise there would be nothing to notice.
    assert own.printed != before or own.failure
    assert after.printed == before
    assert after.failure is None
    assert not any(isinstance(each, UsedUp) for each in messages)


@pytest.mark.parametrize("where", ["at its top", "in a variant"])
def test_the_error_of_a_callback_on_a_device_is_not_that_of_the_next_program(worker: SharedWorker, where: str) -> None:
    """On a GPU a callback fails later than its call, and JAX keeps the device's token, whose wait raises again."""
    token = "class Token:\n    def block_until_ready(self): raise ValueError('of a callback')\n"
    keeps = "jax._src.dispatch.runtime_tokens.set_output_runtime_token(jax.devices()[0], Token())\n"
    source = (
        f"import jax\n{token}{keeps}def f(): ...\n" if where == "at its top" else f"import jax\n{token}def f(): {keeps}"
    )
    *_, last = worker.ask(Request(1, source, "<code>"), PATIENCE_S)
    assert "of a callback" in str(last)
    assert asked(worker, f"import jax\n{PLAIN}    jax.effects_barrier()\n")[0].printed == "fine\n"


@pytest.mark.rest
@pytest.mark.parametrize("left", FOR_EVER.values(), ids=FOR_EVER)
def test_what_cannot_be_put_back_uses_the_process_up(left: tuple[str, str]) -> None:
    does, word = left
    with WorkerPipe() as worker:
        worker.hello()
        assert not any(isinstance(each, UsedUp) for each in asked(worker, PLAIN)[1])
        report, messages = asked(worker, f"{IMPORTS}\ndef f():\n    {does}\n")
        assert report.failure is None
        (output,) = (each for each in messages if isinstance(each, UsedUp))
        assert word in str(output.reason)


def test_each_variant_prints_the_warnings_that_it_prints_alone(worker: SharedWorker) -> None:
    """Python shows each warning once; of JAX's own lines, all programs share the list of those that were shown."""
    casts = "    return jnp.asarray(np.array([np.nan]), dtype=jnp.int32)\n"
    source = "import jax.numpy as jnp, numpy as np\n" + "".join(f"def {name}():\n{casts}" for name in "fgh")
    request = Request(1, source, "<code>", variants=tuple("fgh"), timeout_s=PATIENCE_S, traces=True, value_checks=True)
    for _ in range(2):
        *_, last = worker.ask(request, PATIENCE_S)
        assert ["invalid value encountered in cast" in each.printed for each in last.reports] == [True] * 3


@pytest.mark.rest
def test_calls_that_c_has_forgotten_to_end_use_the_process_up() -> None:
    node = "class N: pass\njax.tree_util.register_pytree_node(N, lambda x: ([N()], None), print)\n"
    with WorkerPipe() as worker:
        worker.hello()
        _, messages = asked(worker, f"import jax\n{node}def f(): return jax.tree.leaves(N())\n")
        assert any(isinstance(each, UsedUp) for each in messages)


@pytest.mark.rest
def test_a_program_is_reported_also_where_c_has_forgotten_to_end_its_calls() -> None:
    source = "import jax.numpy as jnp\ndef inputs(seen=[]):\n    seen.append(seen)\n    return {'x': jnp.array(seen)}\n"
    with WorkerPipe() as worker:
        worker.hello()
        request = Request(1, f"{source}def f(x): return x\n", "<code>", timeout_s=PATIENCE_S, fixes=True)
        *_, last = worker.ask(request, PATIENCE_S)
        assert last.failure.type == "RecursionError"


def test_modules_next_to_a_program_are_those_of_the_disk(worker: SharedWorker, tmp_path: Path) -> None:
    program, beside = tmp_path / "program.py", tmp_path / "beside.py"
    source = "import beside\ndef f():\n    beside.said += '!'\n    print(beside.said)\n"
    for word in ("one", "another"):
        beside.write_text(f"said = {word!r}\n")
        assert asked(worker, source, str(program))[0].printed == f"{word}!\n"
    assert "ModuleNotFoundError" in str(asked_to_fail(worker, "import beside\ndef f():\n    pass\n").failure)
    failure = asked_to_fail(worker, "import besides", str(program)).failure
    assert failure is not None
    assert str(failure.explanation) == "There is no module besides. Did you mean beside?"


@pytest.mark.skipif(find_spec("matplotlib") is not None, reason="Matplotlib is installed")
def test_a_program_that_plotted_without_matplotlib_leaves_none(worker: SharedWorker) -> None:
    source = "import jax, matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot(x := jax.numpy.arange(3))\n"
    request = Request(1, source, "<untitled>", timeout_s=PATIENCE_S, leaves_out_plots=True)
    for _ in range(2):
        *_, last = worker.ask(request, PATIENCE_S)
        assert isinstance(last, Snapshot)
        assert (last.failure, last.left_out, [each.status for each in last.reports]) == (None, ("matplotlib",), ["ok"])
        assert "ModuleNotFoundError" in str(asked_to_fail(worker, source).failure)


def asked_to_fail(worker: SharedWorker, source: str, filename: str = "<code>") -> Snapshot:
    last = list(worker.ask(Request(1, source, filename, timeout_s=PATIENCE_S), PATIENCE_S))[-1]
    assert isinstance(last, Snapshot)
    return last
