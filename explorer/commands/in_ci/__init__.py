"""Output of `check` and `run` for machines: GitHub annotations, SARIF, and filtering by changed lines.

Paths are those from the top of the repository, as a review shows them.
"""
