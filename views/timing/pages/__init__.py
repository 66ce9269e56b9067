"""A page for each view of a timing run. Each is a function of measurements and of the selection."""
