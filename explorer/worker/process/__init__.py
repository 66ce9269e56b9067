"""The worker as a process: its pipe, its output, interrupts, garbage, devices, and settings put back.

It knows nothing of requests and programs.
"""
