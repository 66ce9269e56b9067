"""The heatmap, painted cell by cell at its own resolution, and what its neighbouring plots share.

Painted by hand: averaging cells would falsify noise.
"""
