"""The window as a stage: what a room sees while a lesson is presented.

It arranges and paints, and knows nothing of lessons.
"""
