"""How long calls take: sweeps of random blocks, the stages of a first call, and whether a time can be believed.

It calls the user's functions and a clock; what the figures mean together is said in ``explorer.figures``.
"""
