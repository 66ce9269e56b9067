"""A page for each way to see a picture: heatmap, images, scatter. Each shows one ``Sight`` and nothing else."""
