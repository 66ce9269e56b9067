"""What is wrong with the keys of a run: keys that are used again, keys that examples share, keys that no one uses.

It reads the lineage and what the user says is on purpose, and tells by cause where keys are made, passed and spent.
"""
