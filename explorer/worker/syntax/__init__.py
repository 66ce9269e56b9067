"""User code as a syntax tree: scopes, bindings, and where values go. It is read here, never run."""
