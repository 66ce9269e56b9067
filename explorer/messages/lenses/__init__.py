"""What transforms did to a program: the records of each lens, a module each.

They are computed in the worker and drawn by a page of the program pane.
"""
