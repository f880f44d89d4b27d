"""Sets of squares, lines or boxes as integers: bit i is set when i is in the set."""


def contains(bits, index):
    """Whether `index` is in the set."""
    return bits >> index & 1 == 1


def count(bits):
    """How many are in the set."""
    return bits.bit_count()


def lowest(bits):
    """The lowest that is in the set: below it there are as many bits as its number."""
    return ((bits & -bits) - 1).bit_count()


def nth_member(bits, skip):
    """The member after `skip` lower ones."""
    for _ in range(skip):
        bits &= bits - 1
    return lowest(bits)


def members(bits):
    """All that are in the set, lowest first (a list: for people and drawings)."""
    return [index for index in range(bits.bit_length()) if contains(bits, index)]
