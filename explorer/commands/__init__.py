"""The commands of the command line, and the reports they print.

The one room that may start a program without the window; only ``export`` and ``app`` behind it may touch Qt.
"""
