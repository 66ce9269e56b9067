"""Programs whose classes are sensitive to operations on their objects; each prints these operations."""
