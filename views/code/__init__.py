"""The code editor: typing, marks and fixes. It shows records and emits edits, and runs nothing."""
