"""The window as a stage while a lesson is presented. It arranges and paints, and knows nothing of lessons."""
