"""Pictures for paper, slides and handouts: drawn in lines, without buttons, and with their letters as outlines.

Each pane says what it would print, as a Drawing; what becomes of it, a file or a part of a page, is decided elsewhere.
"""
