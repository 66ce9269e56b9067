"""A lesson as a handout: an HTML page, a PDF, a notebook, or on paper.

`explorer.commands.export.reading` walks through the lesson in an invisible window and returns the records written here.
"""
