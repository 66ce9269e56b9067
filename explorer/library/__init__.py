"""Where scenarios, drafts, settings and progress lie on the disk, and how they are read and written.

It touches files and nothing else: no Qt, no jax, no running program.
"""
