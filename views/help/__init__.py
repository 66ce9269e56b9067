"""The Help menu: the tour and the glossary.

It depends on the window and its parts. The terms are in ``resources/glossary.toml``.
"""
