"""The curves of a loop over its iterations.

They replace the picture of the selected equation's value, and know nothing of the other pages.
"""
