"""Device, variant, comparison, parameters, transforms, run and stop: shows ``Controls``, emits choices."""
