"""A lesson as a handout: an HTML page, which prints well, or a notebook.

`explorer.commands.export.handout` walks through the lesson in an invisible window and returns the records written here.
"""
