"""The parts of the noise pane."""
