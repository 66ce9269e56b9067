"""What a picture of keys shows and where each key stands, up to a million of them.

NumPy and records, no painting.
"""
