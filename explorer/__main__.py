"""Entry point of ``jax-explorer`` and ``python -m explorer``: runs the command line, ends it cleanly at Ctrl-C."""

from __future__ import annotations

import os
import sys
import threading

from explorer.worker.process.interrupts import interrupt_main_thread

AGAIN_S = 0.02


def main() -> int:
    """Carry out the command line and return the exit code; Ctrl-C ends it with a word from here on, the imports too."""
    sys.unraisablehook = on_ignored
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # Under a menu entry on Windows (pythonw), output must go somewhere.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
    try:
        from explorer import cli

        return cli.main()
    except KeyboardInterrupt:
        sys.stderr.write("jax-explorer: stopped\n")
        return 2


def on_ignored(ignored: sys.UnraisableHookArgs) -> None:
    """Bring a Ctrl-C back that Python has ignored, because it came while something was cleaned up."""
    if not issubclass(ignored.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(ignored)
        return
    # Not at once: this is the clean-up still.
    again = threading.Timer(AGAIN_S, interrupt_main_thread)
    again.daemon = True
    again.start()


if __name__ == "__main__":
    sys.exit(main())
