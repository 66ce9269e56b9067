"""``jax-explorer run``: a user's program as Python itself runs it, under the recorder.

It runs in this process, or at a remote; what was found is reported here.
"""
