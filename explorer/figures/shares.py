"""A share of operation time as percent, with its interval, or its bounds where only these are known."""

from __future__ import annotations


def share_text(share: float, low: float | None, high: float | None) -> str:
    """Return a share with half of its interval from `low` to `high`, in percent: ``62 % ± 3``."""
    text = f"{_number(share)} %"
    # The wider side, so that the interval is inside.
    return text if low is None or high is None else f"{text} ± {_number(max(high - share, share - low))}"


def between_text(least: float, most: float) -> str:
    """Return a share of which only its bounds may be known, in percent: ``41 %``, ``≤30 %`` or ``10–40 %``."""
    low, high = _number(least), _number(most)
    if low == high:
        return f"{high} %"
    return f"{low}\N{EN DASH}{high} %" if least >= 0.005 else f"\N{LESS-THAN OR EQUAL TO}{high} %"


def _number(share: float) -> str:
    percent = 100 * share
    if percent >= 1:
        return f"{percent:.0f}"
    return f"{percent:.1f}" if percent >= 0.1 else "<0.1"
