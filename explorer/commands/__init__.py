"""What each command of the command line does, and how its results read.

The one room that may start a program without the window; only ``export`` and ``app`` behind it may touch Qt.
"""
