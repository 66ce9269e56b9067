"""The calls lens: each call of a jitted function, with what ran in it and what the cache was asked with.

``lens`` is the way in; it runs the variant once more, in a program that is loaded anew, and `watched` takes calls down.
"""

from explorer.worker.runs.lenses.calls.lens import LENS as LENS
