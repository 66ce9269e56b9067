"""Views of an array: slices, equal rows and their letters, colours, words of cells.

Functions and records that know no widget.
"""
