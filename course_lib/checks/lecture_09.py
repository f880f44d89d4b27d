"""The tasks of lecture 9: mixes, what they are sure of, a lost α, and a trap."""

from course_lib.agents.if_player import appeal
from course_lib.arena import replay
from course_lib.bits import members
from course_lib.checks.answers import Move
from course_lib.checks.task import Task
from course_lib.games import TicTrapToe

NOTEBOOK = "09_tic_trap_toe"
TITLE = "9 · Tic-trap-toe"

GAME = TicTrapToe()


def no_board(*case):
    """These cases are about numbers alone."""
    return None


PAYOFFS = (
    [[-1.0, 1.0], [0.5, -0.5]],
    [[0.0, 1.0], [1.0, 0.0]],
    [[-0.5, 0.25], [1.0, -1.0]],
    [[0.75, -0.25], [-0.5, 0.5]],
)


# ---- 9.1 what a pair of mixes is worth -------------------------------------------------------


def expected(payoffs, p, q):
    (a, b), (c, d) = payoffs
    return p * q * a + p * (1 - q) * b + (1 - p) * q * c + (1 - p) * (1 - q) * d


def rows_for_columns(payoffs, p, q):
    return expected(payoffs, q, p)


def both_alike(payoffs, p, q):
    (a, _), (_, d) = payoffs
    return p * q * a + (1 - p) * (1 - q) * d


def plain_mean(payoffs, p, q):
    return sum(map(sum, payoffs)) / 4


# ---- 9.2 what a mix is sure of ---------------------------------------------------------------


def sure_of(payoffs, p):
    return min(expected(payoffs, p, 1), expected(payoffs, p, 0))


def hopes_for(payoffs, p):
    return max(expected(payoffs, p, 1), expected(payoffs, p, 0))


def against_an_even_trapper(payoffs, p):
    return expected(payoffs, p, 0.5)


def worst_payoff_of_all(payoffs, p):
    return min(map(min, payoffs))


# ---- 9.3 the best mix ------------------------------------------------------------------------


def best_chance(payoffs):
    (a, b), (c, d) = payoffs
    return (d - c) / (a - b - c + d)


def the_trappers_mix(payoffs):
    (a, b), (c, d) = payoffs
    return (d - b) / (a - b - c + d)


def chance_of_the_other_row(payoffs):
    return 1 - best_chance(payoffs)


def always_even(payoffs):
    return 0.5


# ---- 9.4 the α that got lost -----------------------------------------------------------------


def new_value(old, reward, future, alpha, gamma):
    return old + alpha * (reward + gamma * future - old)


def equation_2_as_printed(old, reward, future, alpha, gamma):
    return (1 - alpha) * old + alpha * reward + gamma * future


def old_value_kept_in_full(old, reward, future, alpha, gamma):
    return old + alpha * (reward + gamma * future)


def old_value_forgotten(old, reward, future, alpha, gamma):
    return reward + gamma * future


# ---- 9.5 a trap for the If-player ------------------------------------------------------------


def favourite(own, other, vacant):
    """The square that the If-player would take."""
    return max(vacant, key=lambda square: appeal(own, other, square))


def trap_for_the_if_player(game, state):
    own = game.pieces(state, state.player)
    other = game.pieces(state, 1 - state.player)
    return {9 + favourite(other, own, members(game.squares(state)))}


def trap_where_i_would_place(game, state):
    own = game.pieces(state, state.player)
    other = game.pieces(state, 1 - state.player)
    return {9 + favourite(own, other, members(game.squares(state)))}


def trap_on_the_first_free_square(game, state):
    return {9 + members(game.squares(state))[0]}


def traps_in_the_middle_or_a_corner(game, state):
    return {9 + favourite(0, 0, members(game.squares(state)))}


def to_trap(*actions):
    """A case of 9.5: these actions lead to a position in which a trap is to be laid."""
    return (GAME, replay(GAME, actions)[-1].state)


TRAPPING = [
    to_trap(0),
    to_trap(4, 9 + 0, 8),
    to_trap(0, 9 + 8, 4, 9 + 6, 1),
    to_trap(4, 9 + 7, 0, 9 + 1, 2, 9 + 3, 6),
    to_trap(8, 9 + 1, 4, 9 + 2, 0, 9 + 6, 1),
    to_trap(4, 9 + 2, 0, 9 + 7, 1, 9 + 8, 3),
]


TASKS = (
    Task(
        "9.1",
        "What two mixes are worth",
        "expected",
        [(m, p, q) for m in PAYOFFS for p, q in ((1.0, 0.0), (0.25, 0.75), (0.5, 0.1))],
        expected,
        "Each of the four payoffs counts with the chance of its row times that of its column.",
        (
            "There are four cases: left and left, left and right, right and left, right and right.",
            "Left and left happens with chance p · q, and then payoffs[0][0] is paid.",
        ),
        {
            rows_for_columns: "p belongs to the rows of the matrix, q to the columns.",
            both_alike: "Both can also choose differently: payoffs[0][1] and payoffs[1][0].",
            plain_mean: "Not all four are equally likely: look at p and q.",
        },
        draw=no_board,
    ),
    Task(
        "9.2",
        "What a mix is sure of",
        "sure_of",
        [(m, p) for m in PAYOFFS for p in (0.0, 0.3, 0.5, 1.0)],
        sure_of,
        "The trapper may do what is worst for you: the smaller of the two lines counts.",
        (
            "What is your mix worth if the trap is always left? And if it is always right?",
            "The trapper takes the one that is worse for you. Its own mixes lie in between.",
        ),
        {
            hopes_for: "You took the better of the two. The trapper does not do you that favour.",
            against_an_even_trapper: "The trapper need not throw a fair coin.",
            worst_payoff_of_all: "Your own mix makes the worst payoff rarer: use p.",
        },
        draw=no_board,
    ),
    Task(
        "9.3",
        "The mix that nobody can punish",
        "best_chance",
        [(m,) for m in PAYOFFS],
        best_chance,
        "Where the two lines cross it is all the same what the trapper does.",
        (
            "Write down what chance p of the first row is worth against each column.",
            "Set both equal: p·a + (1−p)·c = p·b + (1−p)·d, with payoffs [[a, b], [c, d]].",
            "Solved for p: (d − c) / (a − b − c + d).",
        ),
        {
            the_trappers_mix: "This makes the two rows equal: it is the trapper's mix.",
            chance_of_the_other_row: "This is the chance of the second row.",
            always_even: "A fair coin is right only where both columns have the same sum.",
        },
        draw=no_board,
    ),
    Task(
        "9.4",
        "The α that got lost",
        "new_value",
        [(0.5, -0.15, 2.0, 0.4, 1.0), (0.0, 1.0, 0.0, 0.4, 1.0), (-1.0, 0.25, 0.5, 0.1, 0.9)],
        new_value,
        "The old value moves by α towards r + γ · max Q′.",
        (
            "Begin from equation 1 of the lecture.",
            "α stands before the whole bracket, the future included.",
        ),
        {
            equation_2_as_printed: "The future needs the factor α, too: that is the misprint.",
            old_value_kept_in_full: "The old value has to be taken off within the bracket.",
            old_value_forgotten: "With α = 1 this would be right. The old value counts 1 − α.",
        },
        draw=no_board,
    ),
    Task(
        "9.5",
        "A trap for the If-player",
        "my_trap",
        TRAPPING,
        trap_for_the_if_player,
        "The If-player wins if it can, else blocks, else takes the centre, a corner, an edge.",
        (
            "Put yourself in its place: which pieces are its own, which are yours?",
            "`appeal(own, other, square)` says how much it wants a square, with its own pieces "
            "first. `game.pieces(state, player)` are the pieces of a player.",
            "Of equal squares it takes the lowest. The action of a trap is 9 + the square.",
        ),
        {
            trap_where_i_would_place: "Own and other are changed over: it is the opponent's turn.",
            trap_on_the_first_free_square: "That is guessing. Ask what the If-player wants.",
            traps_in_the_middle_or_a_corner: "It wins and blocks before it looks at the centre.",
        },
        answer=Move(),
    ),
)
