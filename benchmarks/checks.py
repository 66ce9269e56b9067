"""Lines of a table of checks: what was found, what was wanted, and whether it holds."""

from __future__ import annotations

MARGIN = 4
"""An interval wider than this many tolerances tells neither that a ratio is right nor that it is wrong."""


def tell(what: str, found: str, wanted: str, holds: bool | None, unless: str = "noisy") -> None:
    """Print one line of the table; where this run cannot tell, `holds` is None and `unless` says why."""
    verdict = {True: "holds", False: "MISSES", None: unless}[holds]
    print(f"{verdict:8}  {what:38} {found:80} wanted: {wanted}", flush=True)


def is_one(median: float, low: float, high: float, tolerance: float) -> bool | None:
    """Return whether a ratio is 1 within `tolerance`; None where its interval is too wide to tell."""
    if low > 1 + tolerance or high < 1 - tolerance:
        return False
    is_close, is_known = abs(median - 1) <= tolerance, high - low <= MARGIN * tolerance
    return True if is_close and is_known else None
