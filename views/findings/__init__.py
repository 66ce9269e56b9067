"""The lists under the panes: findings, and the program's output.

It shows what reports say, in their order, and judges nothing.
"""
