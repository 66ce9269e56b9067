"""Answers to questions about a program that has run: a value in it, or the effect of a transform on it.

The loaded program is kept; each answer comes from a further run or trace of it.
"""
