"""Numbers of bytes in words."""

from __future__ import annotations


def bytes_text(count: float) -> str:
    """Return a number of bytes with a unit that leaves one to four digits: ``1.5 KiB``."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            break
        count /= 1024
    return f"{count:.3g} {unit}" if count < 1000 else f"{count:.0f} {unit}"
