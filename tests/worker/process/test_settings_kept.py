"""A program that sets something for the whole process sets it for itself alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from explorer.messages import Request, TimingRequest
from explorer.worker.process.process_state import ProcessSettings
from explorer.worker.runs import analyse
from tests.worker.analysed import channel, snapshot

PLAIN = """
import jax

def noise():
    return jax.random.normal(jax.random.key(0))
"""
SETTINGS = {
    "x64": 'import jax; jax.config.update("jax_enable_x64", True)',
    "warnings": 'import warnings; warnings.filterwarnings("ignore", "of this program alone")',
}


@pytest.mark.parametrize("line", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("way", ["typed", "timed"])
def test_the_next_program_runs_as_if_in_a_new_process(line: str, way: str) -> None:
    usual = ProcessSettings.now()
    source = f"{line}\n{PLAIN}"
    if way == "timed":
        analyse.time(TimingRequest(1, source, "<test>", variants=("noise",), budget_s=0.01), channel())
    else:
        analyse.texts(Request(1, source, "<test>", variants=("noise",), texts_only=True), channel())
    assert ProcessSettings.now() == usual


def test_a_snapshot_shows_the_flags_that_its_program_set() -> None:
    assert ("jax_enable_x64", "True") in snapshot(f"{SETTINGS['x64']}\n{PLAIN}").flags
    assert ("jax_enable_x64", "False") in snapshot(PLAIN).flags


def test_the_code_as_it_was_runs_with_its_own_settings_and_leaves_those_of_the_edited_code() -> None:
    edited = f"{SETTINGS['x64']}\n{PLAIN}"
    own, was = snapshot(edited, original=PLAIN, variants=("noise",), draws=True).reports
    assert [each.dtype for each in own.pictures or ()] == ["float64", "float64"]
    assert [each.dtype for each in was.pictures or ()] == ["float32", "float32"]


RARE = """\
os.umask(0o77)
logging.disable(50)
locale.setlocale(locale.LC_ALL, "C.UTF-8")
sys.setswitchinterval(0.5)
sys.set_int_max_str_digits(1000)
sys.stdout = io.StringIO(); sys.stdout.write = str
signal.pthread_sigmask(signal.SIG_BLOCK, {10})
sys.set_coroutine_origin_tracking_depth(3)
socket.setdefaulttimeout(0.1)
threading.stack_size(1 << 20)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 900)
resource.setrlimit(resource.RLIMIT_NOFILE, (200, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
gc.disable()
gc.callbacks.append(print)
np.setbufsize(1600)
"""
ASKS = f"""
import gc, io, locale, logging, os, resource, signal, socket, sys, threading
import numpy as np
from explorer.worker.process.process_state import others, same
for line in {RARE.splitlines()!r}:
    before = others()
    exec(line)
    assert not same(before, others()), line
    assert same(others(), others()), line
"""


@pytest.mark.rest
@pytest.mark.skipif(sys.platform == "win32", reason="some of them are not there")
def test_what_is_not_put_back_is_noticed() -> None:
    assert subprocess.run([sys.executable, "-c", ASKS], check=True).returncode == 0
