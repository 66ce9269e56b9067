"""Pictures and data of the window, and lessons as handouts, without a screen.

Both let the whole application work in a window that stays invisible.
"""
