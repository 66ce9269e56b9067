"""The program text: jaxpr, StableHLO and HLO with the person's line behind each part, and how often it was traced.

It traces and compiles, but runs nothing.
"""
