"""Runs of any length that check the whole program against its promises.

``python -m tests.endurance fuzz|kill|hostile|soak|rubbish [--minutes N] [--seed S]``. A short run of each is a test.
``python -m tests.endurance.handed_in`` marks forty students' files, every harmful kind among them.
"""
