"""The gradient lens: forward beside backward, what is kept between them, and whether it holds.

``lens`` is the way in; it traces both passes, and evaluates and compiles them where that is asked for.
"""

from explorer.worker.runs.lenses.gradient.tell import LENS as LENS
