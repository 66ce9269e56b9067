"""The effect of a transform, as pages instead of the program text: one table for each lens.

What stands in the rows is decided in modules that paint nothing.
"""
