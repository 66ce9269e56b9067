"""What `check` and `run` tell machines: annotations of GitHub, SARIF, and only what is on changed lines.

Paths are those from the top of the repository, as a review shows them.
"""
