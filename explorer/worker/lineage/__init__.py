"""Who made and who spent each key, found from the log of a run.

It reads what ``recording`` has logged, and runs nothing of the user's.
"""
