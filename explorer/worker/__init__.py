"""The process that runs user code: ``python -m explorer.worker``, frames on stdin and stdout.

The only package that imports jax; it never imports Qt or anything of the window.
"""
