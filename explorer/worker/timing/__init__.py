"""Durations of calls: randomised interleaved blocks, the stages of a first call, and the reliability of a time.

It calls the user's functions and a clock; ``explorer.figures`` derives the statistics.
See https://docs.jax.dev/en/latest/benchmarking.html.
"""
