"""Findings and the program's output, under the panes: as reports have them, in their order."""
