"""What a run does with values that JAX passes over in silence: indices beyond the end, NaN and inf, types that do not
hold what they are given. A run is watched where all its operations pass by, and looks again only where it matters."""
