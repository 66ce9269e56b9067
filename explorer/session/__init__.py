"""The user's choices, the worker's answers, and when to ask again.

It speaks to the worker through ``link`` and to the views through signals alone, and touches no widget.
"""
