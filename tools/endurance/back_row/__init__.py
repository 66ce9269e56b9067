"""The legibility of presented lessons from the back row: every painted text is measured.

`painted` finds the texts, `judged` compares them with the limits, `pages` walks through the lessons, `one_size` does
all that on a screen of one size, in its own process, and `grid` does it for every requested size.
"""
