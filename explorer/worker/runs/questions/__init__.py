"""Answers to what is asked about a program that has run: a value of it, or what a transform did to it.

The program is kept as it was loaded; each answer comes from a further run or trace of it.
"""
