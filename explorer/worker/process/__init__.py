"""The worker as a process: pipe, output, interrupts, garbage, devices, and settings put back.

It knows nothing of requests and programs.
"""
