"""The effect of a transform, as pages instead of the program text: one table for each lens.

The contents of the rows come from modules without Qt.
"""
