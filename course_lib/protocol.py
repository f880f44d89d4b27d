"""What agents and the arena say to each other besides actions.

Every agent has `choose(game, state, rng)`. A learner also has
    ready(game, seat)          before a game: READY, DEAD or FULL
    begin()                    a game starts
    act(game, state, rng)      like choose, but it may explore, and takes notes
    learn(game, result)        the game is over: +1, 0 or -1 for the learner
    gauge()                    a number to watch over time, such as ε or the beads in all boxes
    fresh()                    the same learner before its first game
    grown()                    the same learner with room for more positions
"""

RESIGN = -1  # what `choose` and `act` may return instead of an action
READY, DEAD, FULL = range(3)  # can play; can't play ever again; needs to be grown first
