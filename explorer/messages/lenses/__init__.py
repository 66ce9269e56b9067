"""The effect of a transform on a program, as records: an independent module for each lens and its page."""
