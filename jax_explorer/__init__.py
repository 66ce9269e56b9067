"""``from jax_explorer import recording``, ``%load_ext jax_explorer`` in a notebook, and ``pytest --jax-keys``.

The package holds names only; their definitions are in ``explorer.recording``, imported at first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.recording import RecordedKeys, recording

__all__ = ["RecordedKeys", "recording"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Not before: pytest imports this package at each start, even without a recording.
    from explorer import recording

    return getattr(recording, name)


def load_ipython_extension(shell: Any) -> None:
    """Register the cell magic ``%%keys`` in a notebook; called by ``%load_ext jax_explorer``."""
    from explorer.recording.in_notebook import cell_magic

    cell_magic.register(shell)
