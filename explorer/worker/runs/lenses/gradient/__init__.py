"""The gradient lens: forward and backward pass, residuals, and a check of the result.

``lens`` traces both passes and evaluates them, ``tell`` answers what is asked, also what is measured or tried.
"""

from explorer.worker.runs.lenses.gradient.tell import LENS as LENS
