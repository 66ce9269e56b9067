"""Where the worker runs: in this Python, in another one, on another machine.

A remote is a command that starts a Python. The engine travels to it through the pipe that later carries the answers.
"""
