"""Evaluates jaxprs: the one interpreter, and its control flow under tracing and step by step."""

from __future__ import annotations
