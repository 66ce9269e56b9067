"""Where the worker runs: in this Python, in another one, on another machine.

A remote is a command that starts a Python; the engine travels to it through the same pipe that its answers come back
through.
"""
