"""The list of findings and the program's output, under the panes.

They show the reports in order, without judging them.
"""
