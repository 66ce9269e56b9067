"""Displays of foreign content: lessons' words and pictures, and names from programs.

No text opens a file or an address here: every document of the window and of a handout is an `OwnDocument`.
"""
