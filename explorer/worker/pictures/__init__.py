"""Arrays to look at: outputs, raw draws and values of equations as pictures with a verdict in words.

It computes with NumPy, and with JAX to draw keys again or to evaluate a jaxpr; it records nothing.
"""
