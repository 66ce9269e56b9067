"""The lenses: each compares JAX's form of a variant with and without a transform.

``registry`` finds the ``LENS`` of each by its id. Below that, a lens is a function from a callable and its arguments to
a record, and knows no request.
"""
