"""The worker at the other end of a pipe: how it is started, asked, waited for and ended.

``client`` and ``process`` are Qt's way, for the window; ``pipe`` is the command line's, without Qt.
"""
