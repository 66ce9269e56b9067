"""Pictures and data of the window, and lessons as handouts, from the whole application without a screen."""
