"""A page for each display mode: heatmap, images, scatter. Each shows one `PictureView`."""
