"""Presentation mode: turn pages, show panes, point, count votes.

It steers the stage and the session; the stage itself is in views/window/stage.
"""
