"""Fixes for errors and findings: edits that rules propose from the code and the error.

Rules only read code and error; ``runs`` tries the proposals before one is offered.
"""
