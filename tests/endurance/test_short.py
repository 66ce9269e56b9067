"""A short run of each kind with a fixed seed: nothing breaks; how long things take is not asked here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_hostile_programs_harm_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.endurance", "hostile", "--seed", "19", "--most", "4"]
    # A process of its own: it looks for all that is left of it.
    ended = subprocess.run(
        [*command, "--failures", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "hostile: 4 runs" in ended.stdout, ended.stderr
    broken = [line for line in ended.stdout.splitlines() if "BROKEN" in line and "promised" not in line]
    assert broken == [], ended.stderr
