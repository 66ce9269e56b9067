"""Programs whose classes mind what is done with their objects; each prints what was."""
