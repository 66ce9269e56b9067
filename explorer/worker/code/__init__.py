"""User code as a module: its variants, parameters and names, and how a variant is called.

It loads and calls the code; what is recorded and told of it belongs to the rooms above.
"""
