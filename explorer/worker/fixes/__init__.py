"""Fixes for errors and findings: edits that rules propose from the code and the error.

Rules only read code and error; they are tried in ``runs`` before anyone is offered one.
"""
