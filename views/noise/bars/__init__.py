"""The controls above a picture: array, axes, example, rows. They show a state and emit choices."""
