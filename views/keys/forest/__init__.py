"""Contents of a picture of keys and positions of up to a million of them.

NumPy and records, no painting.
"""
