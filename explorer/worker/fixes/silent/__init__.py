"""Fixes for findings that JAX accepts silently: Python side effects, and values of arrays.

Each module handles one kind of finding in the common forms of code, and leaves unknown forms alone.
"""
