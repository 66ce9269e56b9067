"""Every sentence of the worker in the person's language.

Texts only: it imports nothing of ours.
"""
