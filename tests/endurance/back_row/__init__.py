"""What the back row of a room can read of presented lessons: every text that is painted, measured.

`painted` finds the texts, `judged` holds them against the limits, `pages` walks the lessons, `one_size` does all that
on a screen of one size, in a process of its own, and `grid` does it for every size that is asked for.
"""
