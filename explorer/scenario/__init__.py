"""A scenario as records: its sheet, its steps and questions, and what may be asked of a snapshot.

Pure data and functions on them; it reads no files and imports no Qt and no jax.
"""
