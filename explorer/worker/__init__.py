"""The process that runs user code: ``python -m explorer.worker``, with frames on stdin and stdout.

It is the only package that imports jax; it never imports Qt or a part of the window.
"""
