"""The Timing pane: its pages, the visible one, and the choices on them.

Figures and their meaning come from ``explorer.figures``; ``log_plot`` and ``pages`` draw them.
"""
