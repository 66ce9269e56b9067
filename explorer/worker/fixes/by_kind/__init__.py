"""Fixes of findings: one module for each kind that has a fix, named after it.

Each has ``proposed(code, finding)``, which yields the fixes to try. A new module is found by its name.
"""
