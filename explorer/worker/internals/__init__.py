"""The one home of JAX's private parts that the rest needs, each next to what it is needed for.

Nothing else may import ``jax._src``; what differs between versions of JAX is decided here.
"""
