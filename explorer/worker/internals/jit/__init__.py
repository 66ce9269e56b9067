"""What jit is asked for: each call of a jitted function, and each trace that comes of it."""
