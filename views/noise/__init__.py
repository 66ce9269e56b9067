"""The Noise pane: ``aim`` turns what was asked for into what is shown, a half for each report shows it.

``arrays`` computes, ``bars`` asks, ``heatmap`` and ``pages`` paint.
"""
