"""Fixes for findings that JAX accepts silently: Python side effects, and values of arrays.

Each module is for one kind of finding and knows the common forms of code; a form that it does not know it leaves alone.
"""
