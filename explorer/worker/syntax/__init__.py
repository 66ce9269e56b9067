"""User code as a syntax tree: places, scopes, bindings, and where values go. It is read here, never run."""
