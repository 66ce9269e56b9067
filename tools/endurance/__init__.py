"""Runs of any length that check the whole program against its promises.

``python -m tools.endurance KIND [--minutes N] [--seed S]``; KIND is fuzz, kill, hostile, soak, rubbish, damaged,
faults, remote, same or back_row.
``python -m tools.endurance.handed_in`` marks forty students' files, every harmful kind among them.
"""
