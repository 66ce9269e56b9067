"""Output of `check` and `run` for machines: GitHub annotations and SARIF.

Paths are those from the top of the repository, as a review shows them.
"""
