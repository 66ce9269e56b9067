"""The commands of the window: files, appearance, languages, the lesson, the presentation.

It moves views and session by their methods and signals; nothing here is painted, and nothing of JAX is known.
"""
