"""The window's widgets, a package for each part of it; ``theme`` has the colours, fonts and sizes.

Views show records of ``explorer.messages`` and emit signals; they know neither the sender nor the receiver.
"""

from views.overrides import whole_exceptions

whole_exceptions()
