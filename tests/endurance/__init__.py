"""Runs of any length that check the whole program against its promises.

``python -m tests.endurance KIND [--minutes N] [--seed S]``; KIND is fuzz, kill, hostile, soak, rubbish, damaged,
faults, remote or same. A short run of each is a test.
``python -m tests.endurance.handed_in`` marks forty students' files, every harmful kind among them.
"""
