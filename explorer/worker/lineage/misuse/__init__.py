"""What is wrong with the keys of a run: keys that are used again, keys that examples share, keys that nobody uses.

It reads the lineage and what the person says is on purpose, and tells by cause where keys are made, passed and spent.
"""
