"""Runs that go on as long as they are told to, and hold the whole program to its promises.

``python -m tests.endurance fuzz|kill|hostile|soak|rubbish [--minutes N] [--seed S]``. A short run of each is a test.
"""
