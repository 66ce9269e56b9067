"""The checks: one file per kind of finding, with its part, levels, texts, labels, lessons and page.

The package is pure, without jax and Qt: worker, window, command line and documents all read it.
"""
