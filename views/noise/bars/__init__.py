"""The controls above a picture: array, axes, rows, type of plot. They show a state and emit choices."""
