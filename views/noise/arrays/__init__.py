"""Slices, equal rows and their letters, colours and texts of the cells of an array.

Functions and records that know no widget.
"""
