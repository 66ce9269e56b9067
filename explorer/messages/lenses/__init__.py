"""The effect of a transform on a program, as records: one module per lens.

A page of the program pane draws one lens; lenses are independent of each other.
"""
