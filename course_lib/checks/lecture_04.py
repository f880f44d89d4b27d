"""The tasks of lecture 4: boxes up to symmetry, beads, reward, death, Michie's mean."""

import functools

from course_lib.agents import Random
from course_lib.arena import replay
from course_lib.checks.answers import Move, Numbers
from course_lib.checks.contest import Contest
from course_lib.checks.task import Task
from course_lib.checks.zoo import OVERLOOKED
from course_lib.games import TicTacToe

NOTEBOOK = "04_menace"
TITLE = "4 · MENACE"

GAME = TicTacToe()
ONLY_MIRRORED = range(4)  # the symmetries that keep rows rows and columns columns


def no_board(*case):
    """These cases are about numbers alone."""
    return None


def after(*moves):
    return replay(GAME, moves)[-1].state


# ---- 4.1 one box for eight boards ------------------------------------------------------------


def box_key(game, state):
    return min(game.turned_key(state, symmetry) for symmetry in range(game.symmetries()))


def board_as_it_is(game, state):
    return game.turned_key(state, 0)


def one_symmetry_left_out(game, state):
    return min(game.turned_key(state, symmetry) for symmetry in range(1, game.symmetries()))


def last_one_left_out(game, state):
    return min(game.turned_key(state, symmetry) for symmetry in range(game.symmetries() - 1))


def mirrored_but_not_turned(game, state):
    return min(game.turned_key(state, symmetry) for symmetry in ONLY_MIRRORED)


def largest_instead_of_smallest(game, state):
    return max(game.turned_key(state, symmetry) for symmetry in range(game.symmetries()))


# ---- 4.2 the way back ------------------------------------------------------------------------


def square_of_bead(game, state, place):
    """A set, since that is what an answer of the kind `Move` is compared with."""
    _, symmetry = game.canonical(state)
    return {game.seen(place, symmetry)}


def place_taken_for_the_square(game, state, place):
    return {place}


def mapped_through_the_inverse(game, state, place):
    _, symmetry = game.canonical(state)
    places = range(game.action_count())
    return {next(square for square in places if game.seen(square, symmetry) == place)}


# The first two boards are mirrored, the others turned by a quarter. Each wrong way leads to a legal
# move, and to another one: else the answer would be nonsense, and the mistake without a name.
BEADS = [
    (after(1, 0, 6, 4), 3),
    (after(4, 2, 1, 3), 0),
    (after(2, 5), 3),
    (after(4, 1, 8, 2), 7),
    (after(0, 3, 1, 7), 8),
    (after(1, 4, 6, 7), 2),
]


# ---- 4.3 to draw a bead ------------------------------------------------------------------------


def draw_bead(beads, chance):
    left = int(chance * sum(beads))
    for square, number in enumerate(beads):
        left -= number
        if left < 0:
            return square
    return -1


def most_beads_always_drawn(beads, chance):
    return beads.index(max(beads)) if sum(beads) else -1


def squares_drawn_alike(beads, chance):
    filled = [square for square, number in enumerate(beads) if number]
    return filled[int(chance * len(filled))] if filled else -1


def empty_squares_drawn_too(beads, chance):
    return int(chance * len(beads)) if sum(beads) else -1


def one_bead_too_far(beads, chance):
    left = int(chance * sum(beads))
    for square, number in enumerate(beads):
        left -= number
        if left <= 0:
            return square
    return -1


def empty_box_not_noticed(beads, chance):
    return max(0, draw_bead(beads, chance))


# ---- 4.4 reward --------------------------------------------------------------------------------


def rewarded(boxes, drawn, change):
    """The boxes after a game: change(beads, is_last) of each drawn bead."""
    boxes = [list(box) for box in boxes]
    for number, (box, square) in enumerate(drawn):
        boxes[box][square] = change(boxes[box][square], number == len(drawn) - 1)
    return boxes


def added(result, win, tie, loss):
    """How many beads come to each that was drawn."""
    return win if result > 0 else tie if result == 0 else -loss


def after_game(boxes, drawn, result, win, tie, loss):
    more = added(result, win, tie, loss)
    return rewarded(boxes, drawn, lambda beads, last: max(0, beads + more))


def draws_scored_as_losses(boxes, drawn, result, win, tie, loss):
    return after_game(boxes, drawn, result, win, -loss, loss)


def draws_not_rewarded(boxes, drawn, result, win, tie, loss):
    return after_game(boxes, drawn, result, win, 0, loss)


def losses_not_punished(boxes, drawn, result, win, tie, loss):
    return after_game(boxes, drawn, result, win, tie, 0)


def less_than_no_beads(boxes, drawn, result, win, tie, loss):
    more = added(result, win, tie, loss)
    return rewarded(boxes, drawn, lambda beads, last: beads + more)


def only_the_last_move_learns(boxes, drawn, result, win, tie, loss):
    more = added(result, win, tie, loss)
    return rewarded(boxes, drawn, lambda beads, last: max(0, beads + more) if last else beads)


def every_bead_of_the_box(boxes, drawn, result, win, tie, loss):
    """All squares that have beads."""
    more = added(result, win, tie, loss)
    opened = {box for box, _ in drawn}
    return [
        [max(0, n + more) if n and number in opened else n for n in box]
        for number, box in enumerate(boxes)
    ]


def beads_into_the_wrong_box(boxes, drawn, result, win, tie, loss):
    """Each square goes with the box that was opened next."""
    squares = [square for _, square in drawn]
    opened = [box for box, _ in drawn]
    wrong = list(zip(opened[1:] + opened[:1], squares))
    return after_game(boxes, wrong, result, win, tie, loss)


# ---- 4.5 death ---------------------------------------------------------------------------------


def losses_at_death(first_beads, win, tie, wins, ties):
    return first_beads + win * wins + tie * ties


def first_beads_forgotten(first_beads, win, tie, wins, ties):
    return win * wins + tie * ties


def rewards_forgotten(first_beads, win, tie, wins, ties):
    return first_beads


def rewards_taken_off(first_beads, win, tie, wins, ties):
    return first_beads - win * wins - tie * ties


def rewards_exchanged(first_beads, win, tie, wins, ties):
    return first_beads + tie * wins + win * ties


def one_bead_for_each(first_beads, win, tie, wins, ties):
    return first_beads + wins + ties


# ---- 4.6 Michie's mean -------------------------------------------------------------------------


def weighted_mean(outcomes, weights):
    return sum(w * v for w, v in zip(weights, outcomes)) / sum(weights)


def running_mean(outcomes, decay):
    last = len(outcomes) - 1
    return weighted_mean(outcomes, [decay ** (last - i + 1) for i in range(last + 1)])


def exponent_as_printed(outcomes, decay):
    last = len(outcomes) - 1
    total = sum(decay ** (last * i + 1) * value for i, value in enumerate(outcomes))
    return (1 - decay) / (decay - decay ** (last + 2)) * total


def old_games_weigh_most(outcomes, decay):
    return running_mean(outcomes[::-1], decay)


def all_games_weigh_alike(outcomes, decay):
    return sum(outcomes) / len(outcomes)


def weights_not_divided_out(outcomes, decay):
    last = len(outcomes) - 1
    return sum(decay ** (last - i + 1) * value for i, value in enumerate(outcomes))


FIRST = [8, 8, 0, 0, 8, 0, 0, 0, 0]
SECOND = [0, 4, 4, 4, 0, 4, 4, 4, 4]
THIRD = [2, 0, 0, 2, 0, 1, 0, 2, 0]
CABINET = [FIRST, SECOND, THIRD]
PATH = [(0, 4), (1, 2), (2, 5)]


@functools.cache
def parts_of_a_box():
    """Beads and drawn chances, such that each typical mistake shows."""
    boxes = ([0, 3, 0, 1], [1, 0, 0, 1], [2, 5, 1], [0, 0, 0, 0], FIRST, SECOND)
    return [(list(box), chance) for box in boxes for chance in (0.0, 0.3, 0.5, 0.74, 0.99)]


TASKS = (
    Task(
        number="4.1",
        title="One box for eight boards",
        name="box_key",
        cases=[
            (GAME, after(8)),
            (GAME, after(0)),
            (GAME, after(0, 5)),
            (GAME, after(0, 7)),
            (GAME, after(2, 3)),
            (GAME, after(1, 6)),
            (GAME, after(8, 3)),
            (GAME, after(6, 1)),
            (GAME, after(6, 5)),
            (GAME, after(4, 2, 8, 0)),
        ],
        truth=box_key,
        because="All eight turned and mirrored copies of a board have the same smallest key.",
        hints=(
            "game.symmetries() says how many copies there are: 8, numbered from 0.",
            "game.turned_key(state, symmetry) is the number of one copy.",
            "return min(game.turned_key(state, symmetry) for symmetry in range(...))",
        ),
        mistakes={
            board_as_it_is: "This behaves like a machine without symmetry: eight boxes where one "
            "would do. Look at whether you try all the copies.",
            one_symmetry_left_out: "This behaves like one who leaves out the board as it is. "
            "Look at where your range begins.",
            last_one_left_out: "This behaves like one who leaves out the last symmetry. "
            "Look at where your range ends.",
            mirrored_but_not_turned: "This behaves like one who mirrors the board, and turns it "
            "upside down, but leaves out the quarter turns. Look at how many copies you try.",
            largest_instead_of_smallest: "This behaves like one who takes the largest key. That "
            "would do as well, but the library's boxes go by the smallest.",
        },
    ),
    Task(
        number="4.2",
        title="From the box back to the board",
        name="square_of_bead",
        cases=[(GAME, state, place) for state, place in BEADS],
        truth=square_of_bead,
        because="The bead belongs to the turned board on the box; game.seen leads back to the "
        "real one.",
        hints=(
            "game.canonical(state) returns two things: the key of the box, and the symmetry by "
            "which the board on the box is turned.",
            "game.seen(place, symmetry) is the real square that stands at place on the turned "
            "board.",
            "key, symmetry = game.canonical(state); return game.seen(place, symmetry)",
        ),
        mistakes={
            place_taken_for_the_square: "This behaves like a machine that forgets that the board "
            "on its box is turned. Look at the symmetry.",
            mapped_through_the_inverse: "This behaves like a machine that turns the board once "
            "more instead of turning it back. It shows only for quarter turns. Look at the "
            "direction of your mapping.",
        },
        answer=Move(),
    ),
    Task(
        number="4.3",
        title="Draw a bead",
        name="draw_bead",
        cases=parts_of_a_box(),
        truth=draw_bead,
        because="Each bead is as likely as any other, so a square is as likely as it has beads.",
        hints=(
            "int(chance * sum(beads)) is the number of one bead, counted from 0.",
            "Go through the squares and count their beads down until that bead is reached.",
            "left -= number; if left < 0: return square. After the loop the box was empty: -1.",
        ),
        mistakes={
            most_beads_always_drawn: "This behaves like a machine that always takes the square "
            "with the most beads. It would never try anything else. Look at chance.",
            squares_drawn_alike: "This behaves like a machine for which each square that has "
            "beads is as likely. Look at the numbers of beads.",
            empty_squares_drawn_too: "This behaves like a machine that draws squares, not beads. "
            "Look at squares without a bead: they can't be drawn.",
            one_bead_too_far: "This behaves like a machine that counts one bead wrong at each "
            "border. Look at your comparison: < or <= ?",
            empty_box_not_noticed: "This behaves like a machine that moves though its box is "
            "empty. It should resign: return -1.",
        },
        draw=no_board,
    ),
    Task(
        number="4.4",
        title="Reward and punishment",
        name="after_game",
        cases=[
            (CABINET, PATH, 1, 3, 1, 1),
            (CABINET, PATH, 0, 3, 1, 1),
            (CABINET, PATH, -1, 3, 1, 1),
            (CABINET, PATH[:2], 0, 2, 2, 1),
            (CABINET, PATH[:2], 1, 5, 1, 1),
            (CABINET, PATH, -1, 3, 1, 2),
        ],
        truth=after_game,
        because="To each drawn bead, and no other, come win or tie more, or it loses loss; never "
        "are there less than none.",
        hints=(
            "drawn is a list of pairs (box, square), one for each move of the machine.",
            "Which number is added: win, tie or -loss? It depends on the result alone.",
            "for box, square in drawn: boxes[box][square] = max(0, boxes[box][square] + added)",
        ),
        mistakes={
            draws_scored_as_losses: "This behaves like a machine that takes a tie for a loss. "
            "Look at result == 0.",
            draws_not_rewarded: "This behaves like a machine to which a tie means nothing. "
            "Look at result == 0: one bead is added.",
            losses_not_punished: "This behaves like a machine that never takes a bead away. "
            "Look at result == -1.",
            less_than_no_beads: "This behaves like a machine with less than no beads in a box. "
            "Look at beads that are gone already: max(0, ...).",
            only_the_last_move_learns: "This behaves like a machine that rewards its last move "
            "only. Look at whether your loop goes through all of drawn.",
            every_bead_of_the_box: "This behaves like a machine that rewards every kind of bead "
            "in the opened boxes, so that no chance gets better. Look at the square.",
            beads_into_the_wrong_box: "This behaves like a machine that puts the beads into the "
            "wrong box. Look at which box goes with which square.",
        },
        answer=Numbers(),
        draw=no_board,
    ),
    Task(
        number="4.5",
        title="Losses at death",
        name="losses_at_death",
        cases=[
            (9, 2, 2, 0, 4),
            (9, 2, 1, 0, 0),
            (24, 3, 1, 0, 7),
            (24, 3, 1, 2, 5),
            (90, 2, 1, 3, 8),
        ],
        truth=losses_at_death,
        because="What came into the first box has gone out again, one bead for each loss.",
        hints=(
            "Each game opens the first box exactly once.",
            "At death it holds no bead: those at first + those added − those taken = 0.",
            "L = first beads + win · wins + tie · ties.",
        ),
        mistakes={
            first_beads_forgotten: "This behaves like one who forgets the beads that were in the "
            "box at first. Look at a machine that only ever loses.",
            rewards_forgotten: "This behaves like one who forgets the beads that were added. "
            "Look at a machine that has tied some games.",
            rewards_taken_off: "This behaves like one who takes the rewards off. They come into "
            "the box, and must be lost as well. Look at the signs.",
            rewards_exchanged: "This behaves like one who exchanges the rewards for a win and for "
            "a tie. Look at what goes with what.",
            one_bead_for_each: "This behaves like one who adds one bead a game. Look at win and "
            "tie: how many are added?",
        },
        draw=no_board,
    ),
    Task(
        number="4.6",
        title="Michie's mean",
        name="running_mean",
        cases=[
            ([1], 0.9),
            ([1, 1, 1, 1], 0.9),
            ([1, 0, -1], 0.9),
            ([-1, -1, 0, 1, 1, 1], 0.8),
            ([1, 1, 0, -1, -1], 0.5),
            ([0, 0, 0, 1], 0.95),
        ],
        truth=running_mean,
        because="The weights D^(j−i+1) fall with the age of a game, and are divided by their sum.",
        hints=(
            "The weight of outcome i is decay ** (j - i + 1), with j the number of the last one.",
            "A mean: the sum of weight times outcome, divided by the sum of the weights. "
            "(The fraction before the sum does just that.)",
            "j = len(outcomes) - 1; weights = [decay ** (j - i + 1) for i in range(j + 1)]",
        ),
        mistakes={
            exponent_as_printed: "This behaves like the formula as the paper prints it, with "
            "j·i + 1. Look at a machine that always wins: its mean should be 1.",
            old_games_weigh_most: "This behaves like a mean in which the oldest games weigh most. "
            "Look at the exponent: j − i + 1 is 1 for the last game.",
            all_games_weigh_alike: "This behaves like the plain mean. Look at decay: old games "
            "should weigh less.",
            weights_not_divided_out: "This behaves like a sum that is not divided by the sum of "
            "its weights. Look at a machine that always wins: is its mean 1?",
        },
        draw=no_board,
    ),
    Contest(
        number="4.7",
        title="A machine that plays better than it draws",
        name="Trained",
        game=GAME,
        opponent=Random(),
        least=160,
        because="After enough games the square with the most beads is a better choice than a bead "
        "that is drawn.",
        hints=(
            "In __init__: self.machine = train(game, menace(game), Random(), games=5000).trained()",
            "In choose: machine.policy(game, state, chances) writes the share of each action into "
            "an array of nine zeros. To draw by it is what MENACE does, and loses some games.",
            "Play the action with the largest chance: int(chances.argmax()).",
        ),
        mistakes=OVERLOOKED,
        starter="agent",
        seconds=60,
    ),
)
