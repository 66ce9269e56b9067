"""The Noise pane: `choices` resolves the user's choices, and one half for each report shows the result.

``arrays`` computes, ``bars`` have the controls, ``heatmap`` and ``pages`` paint.
"""
