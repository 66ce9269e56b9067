"""Presentation mode: turn pages, show panes, point, count votes. The stage itself is in views/window/stage."""
