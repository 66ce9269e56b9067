"""Pictures of arrays: outputs, raw draws and values of equations, with a verdict in words.

It computes with NumPy, and with JAX to repeat draws or to evaluate a jaxpr; it records nothing.
"""
