"""The program text: jaxpr, StableHLO and HLO with the user's line behind each part, and how often it was traced.

It traces and compiles, but runs nothing.
"""
