"""User code as a module: its variants, parameters and names, and the calls of a variant.

It loads and calls the code; recording and reports belong to higher layers.
"""
