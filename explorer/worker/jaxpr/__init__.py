"""Evaluates jaxprs: the one interpreter, and control flow under tracing and round by round.

What an equation gives is for those to say who ask; it knows neither keys nor findings.
"""

from __future__ import annotations
