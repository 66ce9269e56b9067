"""The lenses: each compares JAX's form of a variant with and without a transform, and answers with a table.

`lens` finds the ``LENS`` of each by its id; the modules without one are parts of a lens.
"""
