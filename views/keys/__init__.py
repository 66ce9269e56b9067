"""The Keys pane: its bar, its halves for one or two variants, and the canvas that paints them.

``forest`` computes the layout without Qt; ``painting`` draws it.
"""
