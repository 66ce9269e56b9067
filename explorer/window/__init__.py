"""The commands of the window: files, appearance, languages, the lesson, the presentation.

It drives views and session through their methods and signals, paints nothing, and does not depend on JAX.
"""
