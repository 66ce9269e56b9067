"""The tool bar: device, variant, comparison, parameters, transforms, run and stop.

It shows ``Controls`` and emits the user's choices.
"""
