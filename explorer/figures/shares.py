"""Shares of operation time in words."""

from __future__ import annotations

from explorer.messages.lenses.time import LineShare


def share_text(share: LineShare) -> str:
    """Return a share with half of its interval, in percent: ``62 % ± 3``."""
    text = _percent(share.share)
    if share.low is None or share.high is None:
        return text
    # The wider side, so that the interval is inside.
    return f"{text} ± {_number(max(share.high - share.share, share.share - share.low))}"


def _percent(share: float) -> str:
    return f"{_number(share)} %"


def _number(share: float) -> str:
    percent = 100 * share
    if percent >= 1:
        return f"{percent:.0f}"
    return f"{percent:.1f}" if percent >= 0.1 else "<0.1"
