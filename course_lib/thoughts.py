"""What an agent thinks of a position: a text for each action, and its reasons in words."""

from typing import NamedTuple

import numpy as np

from course_lib.agents.grown import grow
from course_lib.agents.monte_carlo import sample
from course_lib.agents.search import for_mover, search
from course_lib.bits import members
from course_lib.exact.chains import best_line, ends_with
from course_lib.position import describe

NAMES = {1: "a win", 0: "a tie", -1: "a loss"}


class Thought(NamedTuple):
    """Texts to write on the board, {action: text}, and a sentence or two."""

    marks: dict
    words: str


def thought(agent, game, state):
    """The evidence on which an agent would move here. Costs as much as one of its moves."""
    if game.over(state):
        raise ValueError("this game is finished: there is nothing to think about")
    for able, explain in (
        ("boxes", of_menace),
        ("q_values", of_q_learning),
        ("solution", of_solution),
        ("solved", of_equilibrium),
        ("place_values", of_trap_learner),
        ("value_below", of_search),
        ("sample", of_monte_carlo),
        ("grow", of_tree_search),
        ("policy", of_policy),
    ):
        if hasattr(agent, able):
            return explain(agent, game, state)
    return Thought({}, f"{type(agent).__name__} does not say what it thinks")


def of_menace(machine, game, state):
    key, symmetry = game.canonical(state)
    box = machine.table.find(key)
    if box < 0:
        return Thought({}, "There is only one move: that needs no box")
    beads = {
        game.seen(place, symmetry): int(machine.beads[box, place])
        for place in range(game.action_count())
    }
    beads = {action: beads[action] for action in game.actions(state)}
    total = sum(beads.values())
    if total == 0:
        return Thought(dict.fromkeys(beads, "0"), "The box of this position is empty: it resigns")
    marks = {a: f"{n} ({100 * n / total:.0f}%)" for a, n in beads.items()}
    return Thought(
        marks,
        f"The box of this position holds {total} beads and was opened "
        f"{int(machine.opened[box])} times. A bead is drawn blindly: {listed(game, marks)}",
    )


def of_q_learning(learner, game, state):
    values = learner.q_values(state)
    marks = {action: f"{value:.2f}" for action, value in values.items()}
    row = learner.table.find(learner.eyes.look(game, state)[0])
    met = int(learner.visits[row]) if row >= 0 else 0
    best = [a for a, value in values.items() if value == max(values.values())]
    return Thought(
        marks,
        f"It moved {met} times in this position. The largest Q-value is "
        f"{max(values.values()):.2f}: {named(game, best)}",
    )


def of_trap_learner(learner, game, state):
    found = of_policy(learner, game, state)
    if next(iter(game.actions(state))) >= game.action_count() // 3:  # a trap or a removal
        return found
    values = learner.place_values(state)
    marks = {action: f"{value:.2f}" for action, value in values.items()}
    return Thought(
        marks, f"The largest Q-value of each square, with the best trap for it. {found.words}"
    )


def of_equilibrium(player, game, state):
    """The mixes of both players where they choose at once, else the chances of the mover."""
    found = of_policy(player, game, state)
    if next(iter(game.actions(state))) >= game.action_count() // 3:
        return found
    value = player.solved.value(game, state)
    traps = player.solved.trap_chances(game, state)
    marks = {
        action: f"{100 * traps[action]:.0f}% trap"
        for action in range(len(traps))
        if traps[action] >= 0.005 and action not in found.marks
    }
    for action, text in found.marks.items():
        trapped = f" / {100 * traps[action]:.0f}%" if traps[action] >= 0.005 else ""
        marks[action] = text + trapped
    there = {action: f"{100 * chance:.0f}%" for action, chance in enumerate(traps) if chance > 0}
    words = f"Worth {value:+.3f} for the player to move. {found.words}"
    words += f". The opponent's trap: {listed(game, there)}" if there else ""
    return Thought(marks, words)


def of_solution(player, game, state):
    return exact(player.solution, game, state)


def exact(solution, game, state):
    """The exact value of each move, by a solved game."""
    if hasattr(solution, "margin"):
        return in_boxes(solution, game, state)
    marks = {}
    for action in game.actions(state):
        child = game.play(state, action)
        marks[action] = f"{int(for_mover(game, state, child, solution.value(game, child))):+d}"
    marks = {action: "0" if text == "+0" else text for action, text in marks.items()}
    value = int(solution.value(game, state))
    best = members(int(solution.best_actions(game, state)))
    return Thought(
        marks, f"Exactly solved: {NAMES[value]} for the player to move, by {named(game, best)}"
    )


def in_boxes(solution, game, state):
    """The final lead of the player to move after each line, and one best way on."""
    leads = {line: ends_with(solution, state, line) for line in game.actions(state)}
    marks = {line: f"{lead:+d}" if lead else "0" for line, lead in leads.items()}
    best = [line for line, lead in leads.items() if lead == max(leads.values())]
    ahead = f"{max(leads.values()):+d} boxes for the player to move"
    return Thought(
        marks,
        f"Exactly solved: {ahead} in the end, by {named(game, best)}. "
        f"One best way on: lines {', '.join(map(str, best_line(solution, state)))}",
    )


def of_search(searcher, game, state):
    found = search(searcher, game, state)
    legal = [int(action) for action in np.flatnonzero(~np.isnan(found.values))]
    marks = {action: f"{found.values[action] + 0.0:.2g}" for action in legal}
    return Thought(
        marks,
        f"It looked at {found.nodes:,} positions ({found.cutoffs:,} cut-offs). The best it can be "
        f"sure of is {found.value:.2g}: {named(game, found.best_moves)}",
    )


def of_monte_carlo(agent, game, state):
    found = sample(agent, game, state)
    errors = found.errors()
    legal = list(game.actions(state))
    marks = {a: f"{found.values[a] + 0.0:+.2f} ±{errors[a]:.2f}" for a in legal}
    return Thought(
        marks,
        f"It played on from each move {found.iterations:,} times. The best average result is "
        f"{found.values[found.best_moves[0]] + 0.0:+.2f}: {named(game, found.best_moves)}",
    )


def of_tree_search(agent, game, state):
    """On the board: value, visits, and the bound by which the next simulation would choose."""
    found = grow(agent, game, state)
    names = {1: "won", 0: "tied", -1: "lost"}
    tried = [int(action) for action in np.flatnonzero(found.visits)]
    marks = {
        a: names[found.proven[a]]
        if a in found.proven
        else f"{found.values[a] + 0.0:+.2f} · {found.visits[a]:,} · ≤{found.bounds[a]:.2f}"
        for a in tried
    }
    best = found.best_moves[0]
    sure = f"Proven: {NAMES[found.proven[best]]}. " if best in found.proven else ""
    return Thought(
        marks,
        f"{found.simulations:,} simulations; for each move its value, its visits and its upper "
        f"bound. {sure}It plays {named(game, found.best_moves)} and expects "
        f"{', '.join(describe(game, action) for action in found.line)}",
    )


def of_policy(agent, game, state):
    chances = np.zeros(game.action_count())
    agent.policy(game, state, chances)
    marks = {a: f"{100 * chances[a]:.0f}%" for a in game.actions(state)}
    return Thought(marks, f"Its chances: {listed(game, marks)}")


def named(game, actions):
    return " or ".join(describe(game, action) for action in actions)


def listed(game, marks):
    return ", ".join(f"{describe(game, action)} {text}" for action, text in marks.items())
