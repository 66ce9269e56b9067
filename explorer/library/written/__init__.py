"""How lessons are written down: what stands in a story for the lecturer alone, and whole lessons as one file.

Nothing here runs a lesson's code.
"""
