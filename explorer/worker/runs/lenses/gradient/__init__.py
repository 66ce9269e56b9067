"""The gradient lens: forward and backward pass, residuals, and a check of the result.

``lens`` traces and evaluates both passes; ``tell`` answers requests, including measurements and fixes.
"""

from explorer.worker.runs.lenses.gradient.tell import LENS as LENS
