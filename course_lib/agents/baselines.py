"""The simplest players: what everything else is measured against.

An agent has `choose(game, state, rng)`, which returns an action. A fixed agent may also have
`policy(game, state, chances)`, which writes the probability of each action into `chances`; exact
win rates against it can then be computed instead of estimated.
"""

from typing import Annotated, NamedTuple

from course_lib.chance import random_action, random_index
from course_lib.parameters import Range, checked


class Random(NamedTuple):
    """Any legal action, each equally likely."""

    lean = True  # makes no arrays while it plays

    def choose(self, game, state, rng):
        return random_action(game, state, rng)

    def policy(self, game, state, chances):
        n = 0
        for _ in game.actions(state):
            n += 1
        for action in game.actions(state):
            chances[action] = 1.0 / n


class Simple(NamedTuple):
    """The lowest-numbered legal action (Arvidsson & Wallgren 2010, section 2.1.4)."""

    lean = True  # makes no arrays while it plays

    def choose(self, game, state, rng):
        for action in game.actions(state):
            return action
        return -1

    def policy(self, game, state, chances):
        for action in game.actions(state):
            chances[action] = 1.0
            break


@checked
class OneStepLookAhead(NamedTuple):
    """Takes a win, else blocks one, else plays at random (Kyziridis & Tsiaousis 2019, section 2).

    Its program of 2019 asked from the wrong side whether a move wins, and so never saw one: with
    `only_blocks` it is as it was.
    """

    lean = True  # makes no arrays while it plays

    only_blocks: Annotated[bool, Range(0, 1, "does not see its own wins")] = False

    def choose(self, game, state, rng):
        wins = 0 if self.only_blocks else count_wins(game, state)
        if wins > 0:
            return nth_win(game, state, random_index(wins, rng))
        threats = count_wins(game, game.pass_turn(state))
        if threats > 0:
            return nth_win(game, game.pass_turn(state), random_index(threats, rng))
        return random_action(game, state, rng)

    def policy(self, game, state, chances):
        wins = 0 if self.only_blocks else count_wins(game, state)
        threats = count_wins(game, game.pass_turn(state))
        n = 0
        for _ in game.actions(state):
            n += 1
        for action in game.actions(state):
            if wins > 0:
                chances[action] = 1.0 / wins if is_win(game, state, action) else 0.0
            elif threats > 0:
                blocks = is_win(game, game.pass_turn(state), action)
                chances[action] = 1.0 / threats if blocks else 0.0
            else:
                chances[action] = 1.0 / n


def is_win(game, state, action):
    """Whether the action ends the game with a win for the player who plays it."""
    after = game.play(state, action)
    if not game.over(after):
        return False
    result = game.result(after)
    return result > 0 if game.mover(after) == game.mover(state) else result < 0


def count_wins(game, state):
    """How many actions win at once."""
    n = 0
    for action in game.actions(state):
        if is_win(game, state, action):
            n += 1
    return n


def nth_win(game, state, skip):
    """The action that wins at once after `skip` others that do, too."""
    for action in game.actions(state):
        if is_win(game, state, action):
            if skip == 0:
                return action
            skip -= 1
    return -1
