"""Evaluation of jaxprs: one interpreter, and control flow under tracing or iteration by iteration.

The caller supplies the meaning of an equation; this package knows neither keys nor findings.
"""

from __future__ import annotations
