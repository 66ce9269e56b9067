"""The window around the panes: layout, menus, status bar. The one package that knows the others' widgets."""
