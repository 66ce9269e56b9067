"""The curves of a loop over its iterations."""
