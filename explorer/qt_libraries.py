"""System libraries that Qt needs on Linux: finds a missing one, says how to install it; main() installs as root.

``python -m explorer.qt_libraries`` installs them where it can; with ``--tests`` also what some tests need besides. It
imports nothing but Python's own modules, so that it also runs before anything is installed.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from explorer import OUR_HOME, OUR_NAME

QT_MODULES = ("PySide6.QtWidgets", "PySide6.QtSvg")
PLATFORMS = ("libqoffscreen.so", "libqxcb.so")
"""Qt's plugins for pictures without a screen and for a window. An import of PySide6 does not load them."""
PACKAGES = {
    "apt-get": "libgl1 libegl1 libfontconfig1 libxkbcommon0 libglib2.0-0 libdbus-1-3 libxkbcommon-x11-0 libxcb-cursor0 "
    "libxcb-icccm4 libxcb-keysyms1 libxcb-shape0",
    "dnf": "mesa-libGL mesa-libEGL fontconfig libxkbcommon glib2 dbus-libs libxkbcommon-x11 xcb-util-cursor "
    "xcb-util-wm xcb-util-keysyms libxcb",
    "zypper": "libglvnd fontconfig libxkbcommon0 libglib-2_0-0 libdbus-1-3 libxkbcommon-x11-0 libxcb-cursor0 "
    "libxcb-icccm4 libxcb-keysyms1 libxcb-shape0",
    "pacman": "libglvnd fontconfig libxkbcommon glib2 dbus libxkbcommon-x11 xcb-util-cursor xcb-util-wm "
    "xcb-util-keysyms libxcb",
}
"""By package manager. None for Alpine's apk: neither JAX nor Qt is published for its C library."""
INSTALL = {
    "apt-get": "apt-get install -y --no-install-recommends",
    "dnf": "dnf install -y",
    "zypper": "zypper --non-interactive install",
    "pacman": "pacman -Sy --noconfirm --needed",
}
FOR_TESTS = (
    "xvfb xdotool openbox fonts-nanum openssh-server openssh-client strace desktop-file-utils shared-mime-info "
    "shellcheck",
    # Ubuntu has no such package, and the tests with a browser are skipped there.
    "chromium-headless-shell",
)
"""Debian's and Ubuntu's packages that some tests need: those that must be there, and those that may be missing."""


def problem(modules: Iterable[str] = QT_MODULES, platforms: Iterable[str] = PLATFORMS) -> str:
    """Return a sentence about the first library that Qt does not find, with the command that installs it; or ''."""
    if not sys.platform.startswith("linux"):
        return ""
    missing = _missing(modules, platforms)
    if not missing:
        return ""
    manager = _manager()
    how = f"Install it with:\n  {'' if is_root() else 'sudo '}{_command(manager)}" if manager else "Install it first."
    return f"Qt does not find the library {missing}, which this system lacks. {how}"


def _missing(modules: Iterable[str], platforms: Iterable[str]) -> str:
    """Return the first library that an import or a plugin of Qt does not find, or ''."""
    try:
        for name in modules:
            importlib.import_module(name)
        plugins = Path(importlib.import_module("PySide6").__path__[0], "Qt", "plugins", "platforms")
        for name in platforms:
            ctypes.CDLL(str(plugins / name))
    except (ImportError, OSError) as error:
        return str(error).partition(":")[0]
    return ""


def is_root() -> bool:
    """Return whether packages of the system can be installed without another password."""
    return os.name == "posix" and os.geteuid() == 0


def problem_seen_apart() -> str:
    """Return `problem()` as another process finds it, without modules of the user's folder: this one loads no Qt."""
    command = [sys.executable, "-P", "-m", f"{OUR_NAME}.qt_libraries", "--check"]
    settings = {**os.environ, "PYTHONPATH": str(OUR_HOME)}
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=False).stdout


def _manager() -> str:
    return next((name for name in PACKAGES if shutil.which(name)), "")


def _command(manager: str) -> str:
    return f"{INSTALL[manager]} {PACKAGES[manager]}"


def install_if_missing() -> bool:
    """Install what Qt lacks, if this is root with a known package manager; return whether Qt finds everything then."""
    if not problem_seen_apart():
        return True
    manager = _manager()
    if not (is_root() and manager):
        return False
    print(f"Qt needs libraries that this system lacks. Installing: {PACKAGES[manager]}", flush=True)  # noqa: T201
    return _install(manager, PACKAGES[manager]) and not problem_seen_apart()


def _install(manager: str, packages: str) -> bool:
    """Install `packages`; print what the package manager said, and return False, if it failed."""
    settings = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    if manager == "apt-get":
        subprocess.run(["apt-get", "update", "-qq"], env=settings, capture_output=True, check=False)
    command = [*INSTALL[manager].split(), *packages.split()]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(f"{' '.join(command)} failed:\n{done.stdout[-1000:]}{done.stderr[-2000:]}\n")
    return not done.returncode


def main() -> int:
    """Install what is missing and return 0; return 1 where something is missing still."""
    if sys.argv[1:] == ["--check"]:
        found = problem()
        print(found, end="")  # noqa: T201
        return bool(found)
    if sys.argv[1:] == ["--tests"]:
        if not (is_root() and _manager() == "apt-get"):
            return 0
        needed, optional = FOR_TESTS
        installed = _install("apt-get", f"{PACKAGES['apt-get']} {needed}")
        _install("apt-get", optional)
        return not installed
    return not install_if_missing()


if __name__ == "__main__":
    sys.exit(main())
