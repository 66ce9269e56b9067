"""Exports without a screen: pictures and data of the window, and lessons as handouts.

Both let the whole application work in a window that no one sees.
"""
