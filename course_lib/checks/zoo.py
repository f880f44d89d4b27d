"""Players with a typical fault, for contests: `gives_away` tells it by a move.

They play like `OneStepLookAhead` but for what they overlook.
"""

from course_lib.agents.baselines import count_wins, is_win
from course_lib.chance import random_action


def wins(game, state):
    """The moves that win at once for the player to move."""
    return [action for action in game.actions(state) if is_win(game, state, action)]


def threats(game, state):
    """The moves that would win at once for the other player."""
    return wins(game, game.pass_turn(state))


class OverlooksAWin:
    """Does not take a win that one move would bring."""

    def choose(self, game, state, rng):
        stops = threats(game, state)
        return stops[0] if stops else random_action(game, state, rng)

    def gives_away(self, game, state, action):
        return count_wins(game, state) > 0 and not is_win(game, state, action)


class OverlooksAThreat:
    """Takes its own wins, but does not look at what the other could do next."""

    def choose(self, game, state, rng):
        own = wins(game, state)
        return own[0] if own else random_action(game, state, rng)

    def gives_away(self, game, state, action):
        if count_wins(game, state):
            return False
        open_threats = threats(game, state)
        return len(open_threats) == 1 and action not in open_threats


OVERLOOKED = {
    OverlooksAWin(): "This is a player who does not look for its own win. Before anything else, "
    "try each move: is the game won then?",
    OverlooksAThreat(): "This is a player who does not look at what the other could do next. "
    "game.pass_turn(state) is the same board with the other to move: which moves win there?",
}
