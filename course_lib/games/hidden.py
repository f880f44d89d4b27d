"""Games with secrets have `seen_by(state, player)`: a position as that player may see it."""


def has_secrets(game):
    return hasattr(game, "seen_by")


def shown_to(game, state, player):
    """What a player may see: all, unless the game has secrets."""
    return game.seen_by(state, player) if has_secrets(game) else state


def refuse_secrets(game):
    """A search over positions would let the players see what they may not."""
    if has_secrets(game):
        raise ValueError(
            f"{game}: its players have secrets, so a position has no value of its own; "
            "see course_lib.exact.traps"
        )
