"""The checks: one file a kind of finding, with its part, levels, texts, labels, lessons and page.

A pure room, without jax and Qt: worker, window, command line and documents all read what a check is from here.
"""
