"""The Help menu: the tour, the glossary, and what is this.

It knows the window and its parts, and stands above them. What a part says of itself is in `views.parts.explained`,
what a word means in ``resources/glossary.toml``.
"""
