"""The parts of the timing pane."""
