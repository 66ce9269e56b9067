"""What a transform did to a program, as pages in the place of its text: one table for each way of looking at it.

What stands in the rows is decided in modules that paint nothing.
"""
