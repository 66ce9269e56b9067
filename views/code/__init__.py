"""The code editor: typing, marks and offers. It shows records and emits edits, and runs nothing."""
