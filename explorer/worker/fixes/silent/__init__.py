"""What mends a finding that JAX itself passes over in silence: what Python does while it traces, and what arrays hold.

Each module is for one kind of finding and knows the common forms of code; a form that it does not know it leaves alone.
"""
