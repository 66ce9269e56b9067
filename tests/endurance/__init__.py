"""Runs that go on as long as they are told to, and hold the whole program to its promises.

``python -m tests.endurance fuzz|kill|hostile|soak|rubbish [--minutes N] [--seed S]``. A short run of each is a test.
``python -m tests.endurance.handed_in`` marks forty students' files, every harmful kind among them.
"""
