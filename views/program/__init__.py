"""The parts of the program pane."""
