"""What JAX passes over in silence, of a run that is watched for it alone.

What the program does besides computing while it is traced: it reads random numbers and clocks of Python's, changes
what others read, leaves tracers behind, and is traced again and again.
"""
