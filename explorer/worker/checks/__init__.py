"""Checks for mistakes that JAX accepts silently.

They run during tracing and on the values of a run.
"""
