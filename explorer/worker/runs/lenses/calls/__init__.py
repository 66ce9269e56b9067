"""The calls lens: each call of a jitted function, with what ran in it and what the cache was asked with."""
