"""What ``pytest --jax-keys`` does: each test recorded, judged by what the project allows, and counted at the end.

Where tests run in several processes each counts for itself, and the counts are put together.
"""
