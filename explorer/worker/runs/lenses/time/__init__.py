"""The time lens: which lines of a variant's compiled program take how much of its operation time.

``lens`` is the entry point: it compiles the variant, and runs it several times when asked to.
"""

from explorer.worker.runs.lenses.time.lens import LENS as LENS
