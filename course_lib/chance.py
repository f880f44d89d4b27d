"""Randomness comes only from the `rng` that is handed in, a NumPy Generator.

`int(rng.random() * n)` is used instead of `rng.integers(n)`: compiled it is many times quicker,
and both speeds draw the same numbers.
"""


def random_index(n, rng):
    """A whole number from 0 to n − 1, each equally likely."""
    return int(rng.random() * n)


def random_action(game, state, rng):
    """A legal action, each equally likely."""
    n = 0
    for _ in game.actions(state):
        n += 1
    skip = random_index(n, rng)
    for action in game.actions(state):
        if skip == 0:
            return action
        skip -= 1
    return -1


def random_best(values, rng):
    """The index of a largest value, each of them equally likely; NaN entries do not count."""
    best = -float("inf")
    n = 0
    for value in values:
        if value > best:
            best = value
            n = 0
        if value == best:
            n += 1
    skip = random_index(n, rng)
    for index in range(len(values)):
        if values[index] == best:
            if skip == 0:
                return index
            skip -= 1
    return -1
