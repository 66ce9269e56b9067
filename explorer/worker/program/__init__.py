"""The program text: jaxpr, StableHLO and HLO with the user's line behind each part, and the number of traces.

It traces and compiles, but runs nothing.
"""
