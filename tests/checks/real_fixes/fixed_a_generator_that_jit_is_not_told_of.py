import jax
from jax import random


@jax.jit
def draw(drawn):
    return random.uniform(random.fold_in(random.key(0), drawn)), drawn + 1


def main():
    first, drawn = draw(0)
    second, drawn = draw(drawn)
    third, drawn = draw(drawn)
    return first, second, third


if __name__ == "__main__":
    print(main())
