"""The parts of the keys pane."""
