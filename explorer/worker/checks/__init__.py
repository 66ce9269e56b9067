"""What JAX passes over in silence, of a run that is watched for it alone.

What the program does besides computing while it is traced, and what it does with values: indices beyond the end, NaN
and inf, types that do not hold what they are given.
"""
