"""A page for each way to see a picture: heatmap, histogram, images, scatter, similarity.

Each shows one ``Sight`` and nothing else.
"""
