"""Programs that attack and measure JAX Explorer for as long as you like. They run on demand, and no test runs them."""
