"""Explanations of the name or equation under the pointer or the cursor, and one widget that shows them."""
