"""Plots with logarithmic axes on pyqtgraph: created once, then given new points.

They know lines, bands and words, but nothing of timing.
"""
