"""Programs that commands are given, and the user who stops one."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path


def write(folder: Path, name: str, source: str) -> Path:
    """Write `source` into a file of `folder` and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return path


def run(*words: str, **settings: object) -> subprocess.CompletedProcess[str]:
    """Run the command in its own process and return its result."""
    command = [sys.executable, "-m", "explorer", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=400, check=False, **settings)


def endless(begun: Path) -> str:
    """Return a program without end that makes the file `begun`."""
    return f"open({str(begun)!r}, 'w').close()\nwhile True: pass\n"


def interrupted(words: list[str], *begun: Path, **settings: object) -> tuple[int, str]:
    """Press Ctrl-C in a command once these files are there; return its exit code and what it says of it."""
    command = [sys.executable, "-m", "explorer", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings) as process:
        deadline = time.monotonic() + 120
        while not all(each.exists() for each in begun) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=60)[1]
    return process.returncode, output
