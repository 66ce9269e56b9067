"""Sentences with named parts, catalogues, Korean particles. The lowest package: no jax, no Qt."""
