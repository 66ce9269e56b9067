"""All uses of JAX's private modules, each next to its purpose.

No other package may import ``jax._src``; differences between JAX versions are handled here.
"""
