"""The heatmap, painted cell by cell at its own resolution, and what plots beside it share.

Painted by hand: averaging cells would falsify noise.
"""
