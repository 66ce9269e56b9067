"""Fixed-pitch text whose lines have colours, signs and marks: the base of the editor and of the program.

It knows lines and ranges, but no findings and jaxprs.
"""
