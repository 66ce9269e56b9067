"""Code files and what is written of them: opened, saved, changed by others on the disk, listed as recent, exported.

Nothing on the disk is written over unasked, and nothing runs that a user has not chosen.
"""
