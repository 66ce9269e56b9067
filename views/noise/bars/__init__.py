"""The controls and words above a picture: which array, which axes, which example, which rows.

They show a state and emit wishes.
"""
