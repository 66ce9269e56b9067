"""Slices, equal rows and their letters, colours, words of cells: functions and records without widgets."""
