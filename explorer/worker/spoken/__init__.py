"""Every sentence of the worker in the person's language.

The catalogues stand in resources/translations, with the window's.
"""
