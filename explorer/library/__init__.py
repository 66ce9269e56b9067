"""The locations and formats of scenarios, drafts, settings and progress on disk.

It touches files and nothing else: no Qt, no jax, no running program.
"""
