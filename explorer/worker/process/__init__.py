"""The worker as a process: pipe, output, interrupts, garbage, devices, settings; no requests, no programs."""
