"""jax-ml/jax, issue 652"""

import jax.numpy as jnp
import numpy as np


def main():
    a = jnp.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=np.float64)  # warning: silent-cast
    return jnp.linalg.inv(a)


if __name__ == "__main__":
    print(main())
