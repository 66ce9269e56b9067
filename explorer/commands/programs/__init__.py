"""``jax-explorer run``: a user's program as Python itself runs it, under the recorder.

It runs in this process or on a remote; the findings are reported here.
"""
