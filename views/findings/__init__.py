"""What lies under the panes: the list of findings, and what the program printed.

It shows what reports say, in their order, and judges nothing.
"""
