"""What comes from outside and is shown: lessons' words and pictures, and what programs call things.

No text opens a file or an address here: every document of the window and of a handout is an `OwnDocument`.
"""
