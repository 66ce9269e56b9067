"""Lines of a table of checks: the result, the wanted range, and whether it holds."""

from __future__ import annotations

MARGIN = 4
"""The most tolerances that an interval may be wide; a wider one decides nothing about a ratio."""


def tell(what: str, found: str, wanted: str, holds: bool | None, unless: str = "noisy") -> None:
    """Print one line of the table; where this run is inconclusive, `holds` is None and `unless` the reason."""
    verdict = {True: "holds", False: "MISSES", None: unless}[holds]
    print(f"{verdict:8}  {what:38} {found:80} wanted: {wanted}", flush=True)


def is_one(median: float, low: float, high: float, tolerance: float) -> bool | None:
    """Return whether a ratio is 1 within `tolerance`; None where its interval is too wide to decide."""
    if low > 1 + tolerance or high < 1 - tolerance:
        return False
    is_close, is_known = abs(median - 1) <= tolerance, high - low <= MARGIN * tolerance
    return True if is_close and is_known else None
