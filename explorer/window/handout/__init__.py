"""A lesson as something to take home: a page for the browser, a PDF, a notebook.

`reading` walks through the lesson in a window that no one sees; what it finds are records, and the others write them.
"""
