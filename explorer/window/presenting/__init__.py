"""What a lecturer does while presenting: turn pages, show panes, point, count hands.

It steers the stage and the session; the stage itself is in views/window/stage.
"""
