"""The notebook output of a recorded cell: key tree, equal rows and findings.

It is one piece of HTML without scripts, so that it is visible wherever the notebook is opened.
"""
