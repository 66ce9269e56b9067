"""Bugs that were found and mended in public repositories, each written anew as a small program, broken and fixed.

``SOURCE`` names where the fact is from. What must be told stands behind its line; of a fixed program nothing is.
"""
