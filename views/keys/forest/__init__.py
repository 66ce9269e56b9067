"""The contents of a key picture and the position of each key, up to a million of them.

NumPy and records, no painting.
"""
