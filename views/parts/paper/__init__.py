"""Pictures for print, slides and handouts: vector drawings without buttons, with letters as outlines.

Each pane returns a Drawing; other modules turn it into a file or a part of a page.
"""
