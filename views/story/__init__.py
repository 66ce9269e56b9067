"""The lesson: the list of scenarios, the story one page at a time, and the choices of a question.

It shows pages and emits answers; whether one is right is found elsewhere.
"""
