"""What is written of the window without a screen: its pictures and data, and lessons as handouts.

Both let the whole application work in a window that nobody sees.
"""
