"""The gradient lens: forward beside backward, what is kept between them, and whether it holds.

``lens`` traces both passes and evaluates them, ``tell`` answers what is asked, also what is measured or tried.
"""

from explorer.worker.runs.lenses.gradient.tell import LENS as LENS
