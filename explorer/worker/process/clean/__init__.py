"""A clean process state for each run of a program: effects of one run do not reach the next.

Reversible changes are undone; others are reported, and the next program runs in another process.
"""
