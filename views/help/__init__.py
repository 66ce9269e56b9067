"""The Help menu: the tour, the glossary, and "What is this?".

It depends on the window and its parts. The explanations of the parts are in `views.parts.explained`, the terms in
``resources/glossary.toml``.
"""
