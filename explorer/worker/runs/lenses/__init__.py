"""What transforms do to a program: each lens compares what JAX makes of a variant with and without one.

``registry`` finds the ``LENS`` of each by its id. Below that a lens is a function from a callable and its arguments to
a record, and knows no request.
"""
