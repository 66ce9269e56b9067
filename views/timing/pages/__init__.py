"""A page for each way to look at a timing run. Each is a function of measurements and of what is selected."""
