"""A headless browser that loads a page, steered by the DevTools protocol through a pair of pipes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--remote-debugging-pipe",
)
LIFE_S = 120.0
"""After it the browser is killed, so that no test waits for ever."""


def browser() -> str | None:
    """Return the path of a browser; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. See https://chromedevtools.github.io/devtools-protocol/."""

    def __init__(self, folder: Path) -> None:
        to_it, self._write = os.pipe()
        self._read, from_it = os.pipe()
        # It reads and writes at the descriptors 3 and 4.
        ends = f"3<&{to_it} 4>&{from_it}"
        flags = " ".join(f"'{flag}'" for flag in (*FLAGS, f"--user-data-dir={folder}"))
        self._process = subprocess.Popen(
            ["bash", "-c", f"exec '{browser()}' {flags} {ends}"], pass_fds=(to_it, from_it), stderr=subprocess.DEVNULL
        )
        os.close(to_it)
        os.close(from_it)
        self._guard = threading.Timer(LIFE_S, self._process.kill)
        self._guard.start()
        self._messages = os.fdopen(self._read, "rb")
        self._rest = b""
        self._number = 0
        self._session = ""

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._guard.cancel()
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        self._messages.close()

    def open(self, address: str) -> None:
        """Open the page at `address`."""
        target = self._call("Target.createTarget", url=address)["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def value(self, script: str) -> Any:
        """Return the value of an expression in the page; None before it is loaded."""
        return self._call("Runtime.evaluate", expression=script, returnByValue=True).get("result", {}).get("value")

    def press(self, key: str, text: str = "") -> None:
        """Press a key of the keyboard, ``Tab``, ``ArrowDown``; `text` is what it writes."""
        code = {"Tab": 9, "Enter": 13, "Escape": 27}.get(key, 0)
        pressed = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self._call("Input.dispatchKeyEvent", type="keyDown", text=text, **pressed)
        self._call("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def look(self, width: int, *, scheme: str = "light", medium: str = "screen") -> None:
        """Show the page `width` pixels wide, in a colour scheme, on a screen or in print."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1, mobile=False)
        scheme_asked = [{"name": "prefers-color-scheme", "value": scheme}]
        self._call("Emulation.setEmulatedMedia", media=medium, features=scheme_asked)

    def spoken(self) -> list[tuple[str, str, bool]]:
        """Return the role, the name and whether it takes the keyboard, of all that a screen reader meets."""
        nodes = self._call("Accessibility.getFullAXTree")["nodes"]
        return [
            (
                each["role"]["value"],
                each.get("name", {}).get("value", ""),
                any(part["name"] == "focusable" for part in each.get("properties", ())),
            )
            for each in nodes
            if not each["ignored"]
        ]

    def _call(self, method: str, **parameters: object) -> Any:
        self._number += 1
        call = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            call["sessionId"] = self._session
        os.write(self._write, json.dumps(call).encode() + b"\0")
        while True:
            answer = json.loads(self._message())
            if answer.get("id") == self._number:
                # While a page is loaded, nothing can be evaluated.
                return answer.get("result", {})

    def _message(self) -> bytes:
        while b"\0" not in self._rest:
            chunk = os.read(self._read, 65536)
            assert chunk, "the browser has ended"
            self._rest += chunk
        message, _, self._rest = self._rest.partition(b"\0")
        return message
