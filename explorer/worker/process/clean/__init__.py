"""A clean process for each run of a program: what one run does to it, or would do outside of it, meets no other.

Places put back what can be; what cannot is reported, and the next program runs in another process.
"""
