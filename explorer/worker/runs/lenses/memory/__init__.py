"""The memory lens: the buffers of a variant's compiled program, over its schedule.

``lens`` is the entry point: it compiles the variant, and runs nothing.
"""

from explorer.worker.runs.lenses.memory.lens import LENS as LENS
