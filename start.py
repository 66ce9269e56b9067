"""Sets up the environment in .venv next to this file, then opens the window; ``--test`` runs the tests instead.

Needs nothing but Python: python3 start.py [ARGUMENTS of jax-explorer], or python3 start.py --test [ARGUMENTS of pytest]
python3 start.py --test runs the quick tests, --test --all all of them.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
FOLDER = ROOT / ".venv"
PYTHON = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = FOLDER / "set-up"
LEAST = (3, 11)


def main() -> int:
    if sys.version_info < LEAST:
        print(f"JAX Explorer needs Python {LEAST[0]}.{LEAST[1]} or newer; this is {sys.version.split()[0]}.")
        return 2
    arguments = sys.argv[1:]
    testing = arguments[:1] == ["--test"]
    if testing:
        arguments = arguments[1:]
    try:
        set_up()
    except subprocess.CalledProcessError as error:
        print(f"\nSetting up failed: {' '.join(map(str, error.cmd))}", file=sys.stderr)
        return 2
    command = [PYTHON, "-m", "tests", *arguments] if testing else [PYTHON, "-P", "-m", "explorer", *arguments]
    if testing:
        os.chdir(ROOT)
    if os.name != "nt":
        # In our place, so that a signal to this command reaches the program.
        os.execv(PYTHON, [str(word) for word in command])
    return subprocess.call(command)


def set_up() -> None:
    """Make the environment, unless it is there and its requirements have not changed."""
    requirements = b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    wanted = hashlib.sha256(requirements).hexdigest()
    if PYTHON.exists() and STAMP.exists() and STAMP.read_text(encoding="ascii") == wanted:
        return
    print("Setting up in .venv; the first time takes a minute or two.", flush=True)
    print("  step 1 of 4: the environment", flush=True)
    make_environment()
    install = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    print("  step 2 of 4: pip", flush=True)
    subprocess.run([*install, "-r", "install/pip.txt"], check=True, cwd=ROOT)
    print("  step 3 of 4: the packages", flush=True)
    # Not at the top: a Python that is too old has none, and is to say so.
    import tomllib

    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    # Of these versions alone, and each file is compared with its hash.
    subprocess.run([*install, "-c", "constraints.txt", *needed, "--group", "dev"], check=True, cwd=ROOT)
    # Our own package has no hash: it stays here, as it stands. What builds it was installed just now.
    own = ["--no-index", "--no-deps", "--no-build-isolation", "--editable", "."]
    subprocess.run([*install, *own], check=True, cwd=ROOT)
    print("  step 4 of 4: the system's libraries for Qt", flush=True)
    # Where they cannot be installed, what needs them says how.
    subprocess.run([PYTHON, "-m", "explorer.qt_libraries"], check=False, cwd=ROOT)
    STAMP.write_text(wanted, encoding="ascii")


def make_environment() -> None:
    try:
        # Where the Python that it was made with is gone, nothing in it works any more.
        cleared = [] if PYTHON.exists() else ["--clear"]
        subprocess.run([sys.executable, "-m", "venv", *cleared, FOLDER], check=True)
    except subprocess.CalledProcessError:
        print("Python's venv module does not work here (Debian, Ubuntu: apt install python3-venv).", file=sys.stderr)
        raise


if __name__ == "__main__":
    sys.exit(main())
