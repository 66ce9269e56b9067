"""What mends keys that are shared or used again: a key for each example, for each round, for each use.

All of it goes by the text alone: which of the proposals are right is tried in ``runs``.
"""
