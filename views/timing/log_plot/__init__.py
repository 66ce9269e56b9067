"""Plots with logarithmic axes on pyqtgraph: made once, then only given new points.

They know lines, bands and words, and nothing of what is timed.
"""
