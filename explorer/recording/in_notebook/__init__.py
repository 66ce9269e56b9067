"""The notebook output of a recorded cell: key tree, equal rows and findings.

It is one piece of HTML without scripts, so that it is there again when the notebook is opened elsewhere.
"""
