"""The gradient lens: forward and backward pass, residuals, and a check of the result.

`facts` traces and evaluates both passes, `answer` makes the table, `rows` what is computed on request.
"""

from explorer.worker.runs.lenses.gradient.answer import LENS as LENS
