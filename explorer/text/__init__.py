"""Texts for people: sentences with named parts, the catalogues that translate them, Korean particles.

The lowest room of all: no jax, no Qt, nothing of ours above it.
"""
