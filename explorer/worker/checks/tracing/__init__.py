"""Side effects of a program while JAX traces it, and how often it is traced.

It reads numbers and clocks of Python, changes what others read, leaves tracers behind, is compiled again and again.
"""
