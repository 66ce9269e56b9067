"""Shards and communication of devices, on eight virtual devices in their own process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.worker.runs.lenses import collectives_truth, devices_truth

TRUTHS = [name for module in (devices_truth, collectives_truth) for name in vars(module) if name.startswith("check_")]
PROGRAM = """
import contextlib, sys, traceback
from tests.worker.runs.lenses import collectives_truth, devices_truth
for module in (devices_truth, collectives_truth):
    for name, check in vars(module).items():
        if name.startswith("check_"):
            try:
                # JAX 0.11.2 prints a line where a sharding does not fit.
                with contextlib.redirect_stdout(sys.stderr):
                    check()
                said = ""
            except Exception:
                said = traceback.format_exc()
            sys.stdout.write(f"{name}\\t{said}\\0")
"""


@pytest.fixture(scope="module")
def failures() -> dict[str, str]:
    """Return the traceback of each check on eight devices; an empty text where it holds."""
    settings = {**os.environ, "JAX_NUM_CPU_DEVICES": "8", "JAX_PLATFORMS": "cpu"}
    settings["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return dict(each.split("\t", 1) for each in done.stdout.split("\0") if each)


@pytest.mark.parametrize("truth", TRUTHS)
def test_on_eight_devices(truth: str, failures: dict[str, str]) -> None:
    assert failures[truth] == ""
