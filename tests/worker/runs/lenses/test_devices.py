"""Who holds what, on eight virtual devices in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worker.runs.lenses import devices_truth

TRUTHS = [name for name in vars(devices_truth) if name.startswith("check_")]


@pytest.fixture(scope="module")
def said() -> dict[str, str]:
    """What each check on eight devices says; an empty text where it holds."""
    settings = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=8", "JAX_PLATFORMS": "cpu"}
    settings["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, str(Path(devices_truth.__file__))]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return dict(each.split("\t", 1) for each in done.stdout.split("\0") if each)


@pytest.mark.parametrize("truth", TRUTHS)
def test_on_eight_devices(truth: str, said: dict[str, str]) -> None:
    assert said[truth] == ""
