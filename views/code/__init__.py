"""The code editor: what a user types, sees marked and is offered there.

It shows records and emits edits; running the code is nothing of its business.
"""
