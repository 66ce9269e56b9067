"""The window around the panes: where everything has its place, menus, panes, status bar.

The one room that knows the others' widgets.
"""
