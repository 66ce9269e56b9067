"""A short run of each kind, always the same one: the long ones are ``python -m tests.endurance KIND --minutes N``.

Each runs in its own process, as when started by hand: its own window, with its own folders. No clock is asserted.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.link.remotes.ssh_server import SSHD

pytestmark = [pytest.mark.process, pytest.mark.window, pytest.mark.rest]
CASES = {"fuzz": 15, "soak": 6, "rubbish": 12, "damaged": 13, "faults": 4, "same": 15}
if sys.platform.startswith("linux"):
    # It looks into /proc for what is left.
    CASES |= {"kill": 1, "hostile": 4} | ({"remote": 1} if SSHD else {})


@pytest.mark.parametrize("kind", CASES)
def test_nothing_breaks(kind: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.endurance", kind, "--seed", "1", "--most", str(CASES[kind]), "--no-clock"]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [*command, "--minutes", "10", "--failures", str(tmp_path)],
        check=False,
        cwd=root,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{kind}: {CASES[kind]} runs, seed 1" in done.stdout
