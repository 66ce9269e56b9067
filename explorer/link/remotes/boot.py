"""The first program on a remote: it unpacks the engine, unless that is cached there, and becomes the worker.

It is sent as text to a Python of any age. One that is too old for the engine reports that in a line.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

import importlib.util
import io
import os
import pathlib
import runpy
import shutil
import sys
import tempfile
import threading
import zipfile

TELLS = "JAX-Explorer: "
OLDEST = (3, 11)
CANNOT = 4
"""The exit code of a remote that no worker can run at."""


def boot(order):  # also for a Python that knows no annotations of ours
    """Become the worker that `order` describes; where that fails, report why in one line, and end."""
    if sys.platform == "win32":
        import msvcrt

        for stream in (0, 1):
            msvcrt.setmode(stream, os.O_BINARY)
    if sys.version_info < OLDEST:
        _end("old", "{}.{}.{}".format(*sys.version_info))
    missing = [name for name in order["needs"] if importlib.util.find_spec(name) is None]
    if missing:
        _end("lacks", " ".join(missing))
    # Not at the top: a Python of before 3.8 has none, and should say how old it is.
    from importlib.metadata import version

    old = [name for name, oldest in order["oldest"].items() if _numbers(version(name)) < _numbers(oldest)]
    if old:
        _end("lacks", " ".join("'{}>={}'".format(name, order["oldest"][name]) for name in old))
    jax = version("jax")
    if _numbers(jax) < _numbers(order["oldest_jax"]):
        _end("old-jax", jax)
    try:
        folder = _engine(order["key"], order["size"], order["most_silent_s"])
    except (OSError, EOFError, zipfile.BadZipFile) as error:
        _end("failed", str(error))
    sys.path.insert(0, folder)
    _tell("ready", f"{sys.version.split()[0]} {sys.executable}")
    os.environ.update(order["environment"])
    sys.argv = [order["module"], *order["arguments"]]
    runpy.run_module(order["module"], run_name="__main__", alter_sys=True)


def _numbers(version):
    return [int("".join(filter(str.isdigit, part)) or 0) for part in version.split(".")[:3]]


def _engine(key, size, most_silent_s):
    """Return the folder of the engine with this `key`, which is received through the pipe unless it is cached."""
    existing = _cache() / f"engine-{key}"
    if existing.is_dir():
        _tell("have")
        return str(existing)
    _tell("want")
    packed = _received(size, most_silent_s)
    try:
        _cache().mkdir(parents=True, exist_ok=True)
        return str(_unpacked(packed, existing))
    except OSError:
        # A home that is full or read-only. No one else can have put anything into a folder that is new.
        return str(_unpacked(packed, pathlib.Path(tempfile.mkdtemp()) / "engine"))


def _received(size, most_silent_s):
    """Return the next `size` bytes; end where the link is silent for too long, which no guard watches yet."""
    pieces = []
    while size:
        silence = threading.Timer(most_silent_s or threading.TIMEOUT_MAX, os._exit, (CANNOT,))
        silence.daemon = True
        silence.start()
        piece = os.read(0, min(size, 1 << 20))
        silence.cancel()
        # The worker forks, and should be alone then.
        silence.join()
        if not piece:
            raise EOFError("the connection ended too early")
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _unpacked(packed, folder):
    """Unpack the engine into `folder`, atomically."""
    new = pathlib.Path(tempfile.mkdtemp(dir=str(folder.parent)))
    try:
        zipfile.ZipFile(io.BytesIO(packed)).extractall(str(new))
        new.rename(folder)
    except OSError:
        shutil.rmtree(str(new), ignore_errors=True)
        # Another worker may have been quicker.
        if not folder.is_dir():
            raise
    return folder


def _cache():
    home = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME")
    return (pathlib.Path(home) if home else pathlib.Path.home() / ".cache") / "jax-explorer"


def _tell(word, more=""):
    os.write(1, (TELLS + (word + " " + " ".join(more.split())).strip() + "\n").encode("utf-8", "replace"))


def _end(word, more):
    _tell(word, more)
    sys.exit(CANNOT)
