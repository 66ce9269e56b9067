"""A lesson as a handout: an HTML page, a PDF, a notebook.

`reading` walks through the lesson in an invisible window and returns records; the other modules write them.
"""
