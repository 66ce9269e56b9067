"""The worker as a process: pipe, output, interrupts, garbage collection, devices, and restored settings.

It knows nothing of requests and programs.
"""
