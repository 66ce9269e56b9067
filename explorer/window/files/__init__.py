"""Code files and files made from them: opening, saving, changes by other programs, recent files, export.

No file is overwritten without a question, and no code runs that the user has not opened.
"""
