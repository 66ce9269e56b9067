"""The window as a stage while a lesson is presented. It arranges and paints, and does not depend on lessons."""
