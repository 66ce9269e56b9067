"""The calls lens: each call of a jitted function, with the code that ran in it and its cache key.

``lens`` is the entry point; it runs the variant once more in a freshly loaded program, and `watched` records the calls.
"""

from explorer.worker.runs.lenses.calls.lens import LENS as LENS
