"""Layout of a picture with up to a million keys of a run, and that picture as SVG.

It uses NumPy and records, no Qt: the Keys pane paints the same layout.
"""
