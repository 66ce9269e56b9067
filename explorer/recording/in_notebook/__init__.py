"""What a notebook shows of a recorded cell: the tree of keys, the rows that are equal, and the findings.

It is one piece of HTML without scripts, so that it is there again when the notebook is opened elsewhere.
"""
