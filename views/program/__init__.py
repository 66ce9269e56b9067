"""The Program pane: jaxpr, StableHLO or HLO of one variant or two, folded, coloured and linked.

Which lines are shown and folded is decided in modules without Qt.
"""
