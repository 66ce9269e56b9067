"""The Timing pane: its pages, which of them is shown, and what is chosen on them.

Figures and their meaning come from ``explorer.figures``; ``log_plot`` and ``pages`` draw them.
"""
