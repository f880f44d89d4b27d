"""Alpha-beta pruning: what can't change the decision is not looked at.

α is the value that Max is already sure of, β the one that Min is sure of. Once α ≥ β, the players
would not let the game come here, and the rest of the moves need no look.
"""

from course_lib.agents.search import INFINITY, for_max


def minimax_alpha_beta(game, state, alpha, beta, depth, heuristic, notes):
    """Pulles 2019, listing 3: Max is sure of α already, Min of β; what lies outside is cut."""
    notes.enter(alpha, beta)
    if game.over(state):
        return notes.leave(for_max(game, state, game.result(state)))
    if depth == 0:
        return notes.leave(for_max(game, state, heuristic.estimate(game, state)))
    if game.mover(state) == 0:
        value = -INFINITY
        for action in game.actions(state):
            notes.trying(action)
            child = game.play(state, action)
            reply = minimax_alpha_beta(game, child, alpha, beta, depth - 1, heuristic, notes)
            value = max(value, reply)
            alpha = max(alpha, value)
            if alpha >= beta:
                notes.cut()
                break
    else:
        value = INFINITY
        for action in game.actions(state):
            notes.trying(action)
            child = game.play(state, action)
            reply = minimax_alpha_beta(game, child, alpha, beta, depth - 1, heuristic, notes)
            value = min(value, reply)
            beta = min(beta, value)
            if alpha >= beta:
                notes.cut()
                break
    return notes.leave(value)


def negamax_alpha_beta(game, state, alpha, beta, depth, heuristic, notes):
    """Pulles 2019, listing 6. The window turns around with the sign, if the turn passes."""
    notes.enter(alpha, beta)
    if game.over(state):
        return notes.leave(float(game.result(state)))
    if depth == 0:
        return notes.leave(heuristic.estimate(game, state))
    value = -INFINITY
    for action in game.actions(state):
        notes.trying(action)
        child = game.play(state, action)
        if game.mover(child) == game.mover(state):
            reply = negamax_alpha_beta(game, child, alpha, beta, depth - 1, heuristic, notes)
        else:
            reply = -negamax_alpha_beta(game, child, -beta, -alpha, depth - 1, heuristic, notes)
        value = max(value, reply)
        alpha = max(alpha, value)
        if alpha >= beta:
            notes.cut()
            break
    return notes.leave(value)
