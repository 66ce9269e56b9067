"""The window's widgets, a room for each part of it; ``theme`` is the home of colours, fonts and sizes.

Views show records of ``explorer.messages`` and emit signals; they know neither who sends nor who listens.
"""
