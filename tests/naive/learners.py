"""MENACE and Q-learning of seeds 000 and 002, with dicts: python -m tests.naive.learners

Readings that the results depend on:

- X always moves first, also when starters alternate, so a board tells whose turn it is.
- A box or table row belongs to a symmetry class; squares are those of its representative.
- Starters alternate: the learner starts the odd rounds (1, 3, ...), its opponent the even ones.
- Death is tested before a game, for the seat of that game; that game is not played.
- Rounds count from 1. per="move": with m own moves made since the beginning of round eps_start,
  epsilon is eps * max(0, 1 - m / (eps_end - eps_start)): the fall comes after the choice, and 0
  is reached after eps_end - eps_start own moves, some 25-30 rounds for 100, long before eps_end.
- per="round": eps before round eps_start, 0 from round eps_end on, a straight line between.
"""

import random
from collections import Counter
from functools import cache
from statistics import mean, stdev
from typing import NamedTuple

from .rules import TicTacToe
from .solvers import best_moves

GAME = TicTacToe()
PERMUTATIONS = GAME.permutations()
MEMO = {}


@cache
def moves(pos):
    return tuple(GAME.moves(pos))


@cache
def play(pos, move):
    return GAME.play(pos, move)


@cache
def perfect_moves(pos):
    return tuple(best_moves(GAME, pos, MEMO))


@cache
def canonical(pos):
    """(representative, p): square n of the representative is square p[n] of pos."""
    return min((tuple(pos[n] for n in p), p) for p in PERMUTATIONS)


@cache
def orbits(pos):
    """The free squares of a position, those alike under its own symmetries together."""
    own = [p for p in PERMUTATIONS if tuple(pos[n] for n in p) == pos]
    return sorted({tuple(sorted({p[square] for p in own})) for square in moves(pos)})


class RandomPlayer:
    def choose(self, pos, rng):
        return rng.choice(moves(pos))

    def learn(self, result):
        pass

    def dead(self, seat):
        return False


class PerfectPlayer(RandomPlayer):
    def choose(self, pos, rng):
        return rng.choice(perfect_moves(pos))


class Menace:
    """M(beads, win, tie) of seed 000. boxes: representative -> {square: number of beads}."""

    def __init__(self, beads=1, win=2, tie=1):
        self.beads = beads
        self.reward = {1: win, 0: tie, -1: -1}
        self.boxes = {}
        self.drawn = []

    def new_box(self, pos):
        return dict.fromkeys(moves(pos), self.beads)

    def box(self, representative):
        if representative not in self.boxes:
            self.boxes[representative] = self.new_box(representative)
        return self.boxes[representative]

    def choose(self, pos, rng):
        """A bead drawn at random, or None: the box is empty and MENACE resigns."""
        representative, p = canonical(pos)
        box = self.box(representative)
        if sum(box.values()) == 0:
            return None
        square = rng.choices(list(box), list(box.values()))[0]
        self.drawn.append((box, square))
        return p[square]

    def learn(self, result):
        for box, square in self.drawn:
            box[square] += self.reward[result]
        self.drawn = []

    def dead(self, seat):
        first = [GAME.start()] if seat == 0 else [play(GAME.start(), m) for m in range(9)]
        return all(sum(self.box(canonical(pos)[0]).values()) == 0 for pos in first)


class Menace002(Menace):
    """Seed 002: 8/4/2/1 beads on one square of each orbit, no box for the ninth move."""

    def __init__(self):
        super().__init__(win=3, tie=1)

    def new_box(self, pos):
        beads = {9: 8, 7: 4, 5: 2, 3: 1}[len(moves(pos))]
        return {orbit[0]: beads for orbit in orbits(pos)}

    def choose(self, pos, rng):
        if len(moves(pos)) == 1:
            return moves(pos)[0]
        return super().choose(pos, rng)


class QLearner:
    """Q(alpha, gamma, eps, eps_start, eps_end, win, tie, loss) of seed 000.

    table: representative -> {free square: value}.
    """

    def __init__(self, alpha, gamma, eps, eps_start, eps_end, win, tie, loss, per="move"):
        if per not in ("move", "round"):
            raise ValueError(f"unknown per {per!r}")
        self.alpha, self.gamma, self.per = alpha, gamma, per
        self.eps, self.eps_start, self.eps_end = eps, eps_start, eps_end
        self.reward = {1: win, 0: tie, -1: loss}
        self.round = 1
        self.late_moves = 0
        self.table = {}
        self.made = []

    def epsilon(self):
        if self.round < self.eps_start:
            return self.eps
        steps = self.late_moves if self.per == "move" else self.round - self.eps_start
        span = self.eps_end - self.eps_start
        return self.eps * (span - steps) / span if steps < span else 0.0

    def row(self, representative):
        if representative not in self.table:
            self.table[representative] = dict.fromkeys(moves(representative), 0.0)
        return self.table[representative]

    def choose(self, pos, rng):
        representative, p = canonical(pos)
        row = self.row(representative)
        if rng.random() < self.epsilon():
            square = rng.choice(list(row))
        else:
            square = rng.choice([s for s in row if row[s] == max(row.values())])
        if self.round >= self.eps_start:
            self.late_moves += 1
        self.made.append((representative, square))
        return p[square]

    def learn(self, result):
        for representative, square in self.made:
            row = self.row(representative)
            following = self.row(canonical(play(representative, square))[0])
            future = max([0.0, *following.values()])
            target = self.reward[result] + self.gamma * future
            row[square] = (1 - self.alpha) * row[square] + self.alpha * target
        self.made = []
        self.round += 1

    def dead(self, seat):
        return False


OPPONENTS = {"random": RandomPlayer, "perfect": PerfectPlayer}


class Session(NamedTuple):
    outcomes: list  # +1/0/-1 for the learner, one a game
    died: bool  # either side, so that the session ended early
    learner: object
    opponent: object


def play_game(players, rng):
    """One game, players[0] first: +1/0/-1 for players[0]. Both learn."""
    pos, seat = GAME.start(), 0
    while moves(pos):
        move = players[seat].choose(pos, rng)
        if move is None:
            break
        pos, seat = play(pos, move), 1 - seat
    result = GAME.outcome(pos) if not moves(pos) else (-1 if seat == 0 else 1)
    players[0].learn(result)
    players[1].learn(-result)
    return result


def session(learner, opponent, games, rng, alternate=False):
    """opponent: "random", "perfect" or another learner."""
    if opponent in OPPONENTS:
        opponent = OPPONENTS[opponent]()
    outcomes = []
    for n in range(games):
        swapped = alternate and n % 2 == 1
        players = (opponent, learner) if swapped else (learner, opponent)
        if players[0].dead(0) or players[1].dead(1):
            return Session(outcomes, True, learner, opponent)
        outcomes.append(play_game(players, rng) * (-1 if swapped else 1))
    return Session(outcomes, False, learner, opponent)


def menace_session(beads, win, tie, opponent, rng, games=300):
    return session(Menace(beads, win, tie), opponent, games, rng)


def menace002_session(opponent, rng, games):
    return session(Menace002(), opponent, games, rng)


def q_session(parameters, opponent, rng, games=300, per="move", alternate=False):
    """parameters: (alpha, gamma, eps, eps_start, eps_end, win, tie, loss)."""
    return session(QLearner(*parameters, per=per), opponent, games, rng, alternate)


def menace_vs_menace(rng, games=300):
    """Figure 7: M(1, 2, 1) first against M(1, 2, 1)."""
    return session(Menace(1, 2, 1), Menace(1, 2, 1), games, rng)


Q8 = (0.9, 0.5, 0.3, 100, 200, 2, 1, -1)
Q9 = (0.1, 0.5, 0.3, 100, 200, 2, 1, -1)
Q10 = (0.1, 0.5, 0.1, 0, 50, 2, 2, -1)
Q11 = (0.1, 0.1, 0.2, 200, 400, 2, 1, -1)
Q12 = (0.1, 0.9, 0.2, 200, 400, 2, 1, -1)
Q13 = (0.1, 0.5, 0.2, 100, 200, 2, 1, -1)
Q14 = Q12


def q_vs_q(rng, games=300, per="move"):
    """Figure 13: two equal learners, no alternation."""
    return session(QLearner(*Q13, per=per), QLearner(*Q13, per=per), games, rng)


def q_vs_menace(rng, games=600, per="move"):
    """Figure 14: Q starts the odd rounds, M(1, 2, 1) the even ones."""
    return session(QLearner(*Q14, per=per), Menace(1, 2, 1), games, rng, alternate=True)


def figures():
    """(name, published wins/ties/losses or a remark, function rng -> Session)."""
    yield "3 M(1,2,1) random", "197/42/61", lambda g: menace_session(1, 2, 1, "random", g)
    yield "4 M(10,2,1) random", "175/25/100", lambda g: menace_session(10, 2, 1, "random", g)
    yield "5, 6 M(1,x,2) perfect", "", lambda g: menace_session(1, 2, 2, "perfect", g)
    yield "7 M(1,2,1) M(1,2,1)", "267/14/19", menace_vs_menace
    for per in ("move", "round"):
        yield f"8 Q random, {per}", "217/29/54", lambda g, p=per: q_session(Q8, "random", g, per=p)
        yield f"9 Q random, {per}", "209/55/36", lambda g, p=per: q_session(Q9, "random", g, per=p)
        yield f"10 Q perfect, {per}", "plot", lambda g, p=per: q_session(Q10, "perfect", g, per=p)
        for number, q in ((11, Q11), (12, Q12)):
            yield (
                f"{number} Q random alternating, {per}",
                "plot",
                lambda g, q=q, p=per: q_session(q, "random", g, 800, p, alternate=True),
            )
        yield f"13 Q Q, {per}", "plot", lambda g, p=per: q_vs_q(g, per=p)
        yield f"14 Q M(1,2,1) alternating, {per}", "plot", lambda g, p=per: q_vs_menace(g, per=p)
    yield "seed 002, random, 400", "271/59/70", lambda g: menace002_session("random", g, 400)
    yield "seed 002, perfect, 254", "0/212/42", lambda g: menace002_session("perfect", g, 254)


def show(name, published, sessions):
    counts = [Counter(one.outcomes) for one in sessions]
    columns = []
    for result in (1, 0, -1):
        numbers = [count[result] for count in counts]
        spread = stdev(numbers) if len(numbers) > 1 else 0
        columns.append(f"{mean(numbers):6.1f} ± {spread:5.1f}")
    dead = sum(one.died for one in sessions)
    print(f"{name:33s} {published:10s} {'   '.join(columns)}   {dead}/{len(sessions)}", flush=True)


def main(number=200):
    print(f"{'figure':33s} {'published':10s} wins             ties             losses", end="")
    print("           dead/sessions")
    for name, published, run in figures():
        sessions = [run(random.Random(seed)) for seed in range(number)]
        show(name, published, sessions)
        dead = [one for one in sessions if one.died]
        alive = [one for one in sessions if not one.died]
        if dead and alive:
            show("    the dead", "0/4/17" if name.startswith("5") else "", dead)
            show("    the others", "0/264/36" if name.startswith("5") else "", alive)


if __name__ == "__main__":
    main()
