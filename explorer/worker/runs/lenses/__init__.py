"""What transforms do to a program: each lens compares what JAX makes of a variant with and without one.

A lens is a function from a callable and its arguments to a record; it knows no request and no window.
"""
