"""The Keys pane: its bar, its halves for one or two variants, and the canvas that paints them.

``forest`` computes without Qt what stands where; ``painting`` draws it.
"""
