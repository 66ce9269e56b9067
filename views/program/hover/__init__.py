"""What is told of the name or the equation under the pointer or the cursor.

Functions of a program text, and one widget that shows what they say.
"""
