"""A real OpenSSH server on loopback, with its own keys, for the duration of a test."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SSHD = shutil.which("sshd") or next(
    (each for each in ("/usr/sbin/sshd", "/usr/local/sbin/sshd") if Path(each).exists()), ""
)
STARTS_S = 20.0
CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/key.pub
PidFile {folder}/sshd.pid
PasswordAuthentication no
KbdInteractiveAuthentication no
StrictModes no
UsePAM no
MaxStartups 100
"""


class Server:
    """A server that lets whoever has its key in.

    Attributes:
        port: where it listens on loopback.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        for name in ("host_key", "key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
        (folder / "config").write_text(CONFIG.format(port=self.port, folder=folder), encoding="utf-8")
        host_key = (folder / "host_key.pub").read_text(encoding="utf-8")
        (folder / "known").write_text(f"lab {host_key}", encoding="utf-8")
        if os.geteuid() == 0:
            # sshd asks for it, and only a system that starts it as a service makes it.
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        command = [SSHD, "-D", "-e", "-f", str(folder / "config")]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        end = time.monotonic() + STARTS_S
        while not _listens(self.port):
            assert time.monotonic() < end
            assert self._process.poll() is None
            time.sleep(0.02)

    def ssh(self, port: int = 0) -> list[str]:
        """Return the command that connects to it, or through another `port`, with the name of the host."""
        options = (
            f"Port={port or self.port}",
            "HostName=127.0.0.1",
            "HostKeyAlias=lab",
            f"IdentityFile={self._folder / 'key'}",
            f"UserKnownHostsFile={self._folder / 'known'}",
            "IdentitiesOnly=yes",
            "BatchMode=yes",
        )
        return ["ssh", "-F", "none", *(word for each in options for word in ("-o", each)), "lab"]

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    """Yield a server with keys and settings in `folder`."""
    server = Server(folder)
    try:
        yield server
    finally:
        server.close()


def free_port() -> int:
    """Return a port of loopback that no one listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
