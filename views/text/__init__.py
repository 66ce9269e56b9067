"""Fixed-pitch text whose lines carry colours, signs and marks: the ground of the editor and of the program.

It knows lines and stretches, and nothing of findings or jaxprs.
"""
