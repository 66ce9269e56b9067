"""Translatable texts: sentences with named parts, catalogues, Korean particles.

The lowest room of all: no jax, no Qt, nothing of ours above it.
"""
