"""The effect of a transform on a program, as records: one module for each lens.

A page of the program pane draws one of them; none knows of another.
"""
