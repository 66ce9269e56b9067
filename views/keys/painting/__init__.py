"""Painters of keys, links and labels over a laid-out forest, with level of detail.

They keep no state of their own.
"""
