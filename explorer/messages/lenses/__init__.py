"""What a transform did to a program, as records: one module for each way of looking at it.

A page of the program pane draws one of them; none knows of another.
"""
