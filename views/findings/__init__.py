"""The list of findings and the program's output, under the panes.

They show what reports say, in their order, and judge nothing.
"""
