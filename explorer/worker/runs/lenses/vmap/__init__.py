"""The vmap lens: one example next to the batch, equation by equation, with the axes that vmap added.

``lens`` is the way in; it traces the variant once more and notes what batching did on the way.
"""

from explorer.worker.runs.lenses.vmap.lens import LENS as LENS
