"""The vmap lens: one example next to the batch, equation by equation, with the axes that vmap added.

``lens`` is the entry point; it traces the variant once more and records the batching.
"""

from explorer.worker.runs.lenses.vmap.lens import LENS as LENS
