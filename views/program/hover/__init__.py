"""Explanations of the name or equation under the pointer or the cursor.

Functions of a program text, and one widget that shows what they return.
"""
