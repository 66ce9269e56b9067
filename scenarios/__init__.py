"""The built-in scenarios: one folder each, plain JAX that runs anywhere."""
