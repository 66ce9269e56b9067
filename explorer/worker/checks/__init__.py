"""What JAX passes over in silence, of a run that is watched for it alone.

While it is traced, and in its values.
"""
