"""Where each key of a run stands in a picture of them, up to a million of them, and that picture as SVG.

NumPy and records, no Qt: the Keys pane paints the same places.
"""
