"""How keys, links and words about them are drawn, with level of detail.

Painters over a laid-out forest; they keep no state of their own.
"""
