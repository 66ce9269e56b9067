"""Changes of the code that mend what failed: each proposed by a rule from the code and the error.

Rules only read code and error; they are tried in ``runs`` before anybody is offered one.
"""
