"""A scenario as records: its sheet, its steps and questions, and the measures of a snapshot.

Pure data and functions on it, without files, Qt and jax.
"""
