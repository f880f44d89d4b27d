"""Monte Carlo tree search: the rollouts of Monte Carlo search, spent where they matter most.

Each simulation has four steps. Selection: down the tree, at each node to the child with the
largest upper confidence bound. Expansion: one move that was never tried there. Rollout: on to the
end at random. Update: every node on the way counts the result.

The value of a node is for the player who moved into it: at each node the mover compares its
children by values that are all for the mover. So no sign is ever turned, and a player who moves
twice in a row needs no special case.
"""

import math
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import numpy as np

from course_lib.agents.baselines import Random
from course_lib.agents.monte_carlo import UNLIMITED, Policy, rollout
from course_lib.agents.monte_carlo import Seconds as SecondsAMove
from course_lib.bits import count, nth_member
from course_lib.chance import random_best, random_index
from course_lib.parameters import Range, as_float, checked
from course_lib.table import EMPTY, Table, new_table
from course_lib.twospeed import is_lean

ROOT, NONE = 0, -1
# The columns of a tree, a row a node. Those that a selection reads stand together:
VISITS, TOTAL = 0, 1  # simulations that went through it, and the sum of their results
CHILD, SIBLING = 2, 3  # its newest child, and its parent's child before it
SAME = 4  # the node that counts for it: itself, unless transpositions are shared
PROVEN = 5  # its exact value for PLAYER, or UNPROVEN
ACTION, PLAYER = 6, 7  # how it was moved into, and by whom
UNTRIED = 8  # the moves that were never tried from here, as bits; or NOT_LISTED
PARENT, MOVED = 9, 10  # MOVED: where it goes when a part of the tree is kept
KEY, SURE = 11, 12  # SURE: what a proven child makes sure of, for the player to move
COLUMNS = 13
NOT_LISTED = -1  # most nodes are visited once: their moves are never asked for
UNPROVEN = 2
NEVER = -1e12  # as a bound or a score: below all others
# The entries of `Tree.counts`: nodes, nodes of the path, who moves at the root, simulations for
# this move, keys that a list as memory was compared with
USED, LENGTH, MOVER, DONE, COMPARED = range(5)
ROOM_FOR_TIME = 1 << 20  # nodes, where only time ends a search

Iterations = Annotated[int, Range(1, UNLIMITED, "simulations a move", (1, 5000))]
Exploration = Annotated[float, Range(0, 1000, "C: how much is tried out (0: nothing)", (0, 5))]
ByValue = Annotated[bool, Range(0, 1, "plays the move of the largest value, not of most visits")]
Keep = Annotated[bool, Range(0, 1, "keeps what is left of the tree from move to move")]
Solver = Annotated[bool, Range(0, 1, "proves wins, ties and losses (MCTS-Solver)")]
SkipEnds = Annotated[
    bool, Range(0, 1, "printed: a finished position that is met again is not counted")
]
OwnReward = Annotated[
    bool, Range(0, 1, "printed: each node on the way gets its own reward, 0 unless it is final")
]
OneSide = Annotated[
    bool, Range(0, 1, "printed?: all values for the player at the root, whoever moves")
]
WrongSide = Annotated[
    bool, Range(0, 1, "printed?: values for the player to move, compared by the other")
]
Share = Annotated[bool, Range(0, 1, "printed: the same position by other moves is the same node")]
ListMemory = Annotated[
    bool, Range(0, 1, "printed: looks for each child in a list, from its beginning")
]


class Tree(NamedTuple):
    """The nodes so far, and the path of the last simulation."""

    nodes: np.ndarray  # a row a node
    path: np.ndarray  # the nodes from the root to where the last rollout began
    counts: np.ndarray
    scores: np.ndarray  # by action: for the final choice
    known: Table  # of transpositions: which node belongs to a position


@checked
class MCTS(NamedTuple):
    """Plays the move that a growing tree of simulations has found best.

    Built by `mcts(game, ...)`. Kocsis & Szepesvári 2006; Kyziridis & Tsiaousis 2019, section 4.2,
    whose algorithm 2 departs from it: each departure is a switch.
    """

    game: Any
    tree: Tree
    iterations: Iterations = UNLIMITED
    c: Exploration = 1.4
    seconds: SecondsAMove = 0.0
    policy: Policy = Random()
    by_value: ByValue = False
    keep: Keep = False
    solver: Solver = False
    skip_ends: SkipEnds = False
    own_reward: OwnReward = False
    one_side: OneSide = False
    wrong_side: WrongSide = False
    share: Share = False
    list_memory: ListMemory = False

    def problem(self):
        if self.share and self.keep:
            return "share and keep: a part of the tree can't be kept where nodes are shared"
        return ""

    @property
    def lean(self):
        return is_lean(self.policy)

    def choose(self, game, state, rng):
        self.grow(game, state, rng)
        return self.final_move(rng)

    def grow(self, game, state, rng):
        """Simulations as long as the budget lasts, at least one."""
        began = perf_counter()
        self.plant(game, state)
        done = 0
        while done == 0 or (
            done < self.iterations
            and (self.seconds == 0 or perf_counter() < began + self.seconds)
            and self.tree.nodes[ROOT, PROVEN] == UNPROVEN
        ):
            self.simulate(game, state, rng)
            done += 1
        self.tree.counts[DONE] = done

    # One simulation

    def simulate(self, game, state, rng):
        """Selection, expansion, rollout and update."""
        state = self.select(game, state)
        state = self.expand(game, state, rng)
        result = self.roll_out(game, state, rng)
        self.update(game, state, result)

    def select(self, game, state):
        """Down the tree, until a node has a move that was never tried, or the game is over."""
        nodes = self.tree.nodes
        path = self.tree.path
        node = ROOT
        path[0] = node
        length = 1
        while untried_moves(nodes, node, game, state) == 0 and nodes[node, CHILD] != NONE:
            if self.list_memory:
                self.look_up_children(game, state)
            child = best_child(nodes, node, self.c)
            state = game.play(state, int(nodes[child, ACTION]))
            node = nodes[child, SAME]
            path[length] = node
            length += 1
            if nodes[node, PROVEN] != UNPROVEN:
                break
        self.tree.counts[LENGTH] = length
        return state

    def expand(self, game, state, rng):
        """A new node, for one of the moves that were never tried from the last node of the path."""
        tree = self.tree
        parent = tree.path[tree.counts[LENGTH] - 1]
        untried = untried_moves(tree.nodes, parent, game, state)
        full = tree.counts[USED] == len(tree.nodes)
        if untried == 0 or full or tree.nodes[parent, PROVEN] != UNPROVEN:
            return state
        action = nth_member(untried, random_index(count(untried), rng))
        after = game.play(state, action)
        if self.list_memory:
            self.look_up_children(game, state)
        node = self.add(game, after, game.mover(state))
        tree.nodes[node, PARENT] = parent
        tree.nodes[node, ACTION] = action
        tree.nodes[node, SIBLING] = tree.nodes[parent, CHILD]
        tree.nodes[parent, CHILD] = node
        tree.nodes[parent, UNTRIED] = untried & ~(1 << action)
        tree.path[tree.counts[LENGTH]] = tree.nodes[node, SAME]
        tree.counts[LENGTH] += 1
        return after

    def roll_out(self, game, state, rng):
        """The result for player 0 of playing on to the end; of a proven node, what is proven."""
        node = self.tree.path[self.tree.counts[LENGTH] - 1]
        proven = int(self.tree.nodes[node, PROVEN])
        if proven != UNPROVEN:
            return proven if self.tree.nodes[node, PLAYER] == 0 else -proven
        return rollout(self.policy, game, state, rng)

    def update(self, game, state, result):
        """Count the result, for player 0, at every node of the path."""
        nodes = self.tree.nodes
        path = self.tree.path
        last = self.tree.counts[LENGTH] - 1
        if self.skip_ends and nodes[path[last], VISITS] > 0 and game.over(state):
            return
        if self.own_reward and not game.over(state):
            result = 0
        for place in range(last, -1, -1):
            node = path[place]
            if self.solver:
                result = self.at_least_what_is_sure(node, result)
            side = nodes[node, PLAYER]  # whose results it counts: who moved into it
            if self.one_side:
                side = self.tree.counts[MOVER]
            if self.wrong_side:
                side = 1 - side
            for_player = result if side == 0 else -result
            if self.own_reward and place < last:
                for_player = 0
            nodes[node, VISITS] += 1
            nodes[node, TOTAL] += for_player
        if self.solver:
            self.prove()

    # Proofs: MCTS-Solver (Winands, Björnsson & Saito 2008), which here knows ties, too

    def at_least_what_is_sure(self, node, result):
        """The result for player 0, if the mover rather took the best that is proven below a node.

        So trying a bad move, only to prove it bad, does not count against the node.
        """
        nodes = self.tree.nodes
        sure = int(nodes[node, SURE])
        if sure < 0:
            return result
        if nodes[nodes[node, CHILD], PLAYER] == 0:
            return max(result, sure)
        return min(result, -sure)

    def prove(self):
        """From the last node of the path up, as far as values are certain."""
        nodes = self.tree.nodes
        place = self.tree.counts[LENGTH] - 1
        while place > 0 and nodes[self.tree.path[place], PROVEN] != UNPROVEN:
            place -= 1
            node = self.tree.path[place]
            nodes[node, PROVEN] = self.certain(node)

    def certain(self, node):
        """The exact value of a node for its PLAYER, if its children prove it.

        One proven win for the mover is enough. Otherwise all moves must be proven.
        """
        nodes = self.tree.nodes
        best = -1
        open_moves = nodes[node, UNTRIED] != 0
        child = nodes[node, CHILD]
        mover = nodes[child, PLAYER]
        while child != NONE:
            proven = nodes[nodes[child, SAME], PROVEN]
            if proven == UNPROVEN:
                open_moves = True
            else:
                best = max(best, proven)
            child = nodes[child, SIBLING]
        nodes[node, SURE] = best
        if best < 1 and open_moves:
            return UNPROVEN
        return best if nodes[node, PLAYER] == mover else -best

    # The move

    def final_move(self, rng):
        """The action of a child with most visits or the largest value; but what is proven counts.

        A win before all, a loss after all, and a tie as the value 0 that it is.
        """
        self.score_children()
        return random_best(self.tree.scores, rng)

    def score_children(self):
        nodes = self.tree.nodes
        scores = self.tree.scores
        for action in range(len(scores)):
            scores[action] = -math.inf
        most = 0
        leader = 0.0  # the value of the most visited child that is open
        child = nodes[ROOT, CHILD]
        while child != NONE:
            node = nodes[child, SAME]
            visits = nodes[node, VISITS]
            value = nodes[node, TOTAL] / visits
            if nodes[node, PROVEN] == UNPROVEN and visits > most:
                most = visits
                leader = value
            score = value if self.by_value else float(visits)
            if nodes[node, PROVEN] == 1:
                score = -NEVER
            elif nodes[node, PROVEN] == -1:
                score += NEVER  # among losses the order stays: what took longest to prove
            scores[nodes[child, ACTION]] = score
            child = nodes[child, SIBLING]
        child = nodes[ROOT, CHILD]
        while child != NONE:
            if nodes[nodes[child, SAME], PROVEN] == 0:
                tie = 0.0 if self.by_value else most + 0.5 if leader <= 0 else 0.0
                scores[nodes[child, ACTION]] = tie
            child = nodes[child, SIBLING]

    # The tree

    def plant(self, game, state):
        """A new tree; or what an old one knows of this position, if that is kept."""
        tree = self.tree
        tree.counts[MOVER] = game.mover(state)
        tree.counts[COMPARED] = 0
        if self.keep:
            key = game.key(state)
            for node in range(1, tree.counts[USED]):
                if tree.nodes[node, KEY] == key:
                    self.keep_below(node)
                    return
        tree.counts[USED] = 0
        if self.share:
            self.forget_transpositions()
        root = self.add(game, state, 1 - game.mover(state))
        tree.nodes[root, PARENT] = NONE
        tree.nodes[root, ACTION] = NONE
        tree.nodes[root, SIBLING] = NONE

    def add(self, game, state, player):
        """A new node; or a new way to an old one, if transpositions are shared."""
        nodes = self.tree.nodes
        node = self.tree.counts[USED]
        self.tree.counts[USED] = node + 1
        nodes[node, VISITS] = 0
        nodes[node, TOTAL] = 0
        nodes[node, PLAYER] = player
        nodes[node, CHILD] = NONE
        nodes[node, SAME] = node
        nodes[node, PROVEN] = UNPROVEN
        nodes[node, SURE] = -1
        nodes[node, UNTRIED] = NOT_LISTED
        if self.solver and game.over(state):
            result = game.result(state)
            nodes[node, PROVEN] = result if game.mover(state) == player else -result
        if self.keep or self.share or self.list_memory:
            key = game.key(state)
            nodes[node, KEY] = key
            if self.share:
                self.share_node(node, key)
        return node

    def share_node(self, node, key):
        """Join a node with the one of the same position, reached by the same player."""
        nodes = self.tree.nodes
        known = self.tree.known
        row = known.find(key)
        if row == EMPTY:
            if known.free() > 0:
                known.add(key)
                nodes[known.used[0] - 1, MOVED] = node
        elif nodes[nodes[row, MOVED], PLAYER] == nodes[node, PLAYER]:
            nodes[node, SAME] = nodes[row, MOVED]

    def forget_transpositions(self):
        known = self.tree.known
        known.used[0] = 0
        for slot in range(len(known.slots)):
            known.slots[slot] = EMPTY

    def keep_below(self, root):
        """Make a node the root. The nodes below move up into the room of those that are dropped.

        A node always stands below its parent: so all can be moved in one go.
        """
        nodes = self.tree.nodes
        kept = 0
        for node in range(self.tree.counts[USED]):
            parent = nodes[node, PARENT]
            if node < root or (node > root and nodes[parent, MOVED] == NONE):
                nodes[node, MOVED] = NONE
            else:
                for column in range(COLUMNS):
                    if column != MOVED:
                        nodes[kept, column] = nodes[node, column]
                nodes[node, MOVED] = kept
                nodes[kept, SAME] = kept
                nodes[kept, PARENT] = NONE if node == root else nodes[parent, MOVED]
                kept += 1
        self.tree.counts[USED] = kept
        for node in range(kept):
            if nodes[node, CHILD] != NONE:
                nodes[node, CHILD] = nodes[nodes[node, CHILD], MOVED]
            if node != ROOT and nodes[node, SIBLING] != NONE:
                nodes[node, SIBLING] = nodes[nodes[node, SIBLING], MOVED]
        nodes[ROOT, SIBLING] = NONE
        nodes[ROOT, ACTION] = NONE

    def look_up_children(self, game, state):
        """What a list as memory costs: each child is looked for from its beginning."""
        nodes = self.tree.nodes
        used = self.tree.counts[USED]
        for action in game.actions(state):
            key = game.key(game.play(state, action))
            place = 0
            while place < used and nodes[place, KEY] != key:
                place += 1
            self.tree.counts[COMPARED] += min(place + 1, used)


# No methods: handing on all of an agent would take longer than the work.


def untried_moves(nodes, node, game, state):
    """The moves that were never tried from a node, as bits. They are listed when asked for."""
    moves = int(nodes[node, UNTRIED])
    if moves == NOT_LISTED:
        moves = 0
        if not game.over(state):
            for action in game.actions(state):
                moves |= 1 << action
        nodes[node, UNTRIED] = moves
    return moves


def best_child(nodes, node, c):
    """The child with the largest bound."""
    log = math.log(nodes[node, VISITS])
    best = -math.inf
    chosen = NONE
    child = nodes[node, CHILD]
    while child != NONE:
        bound = upper_bound(nodes, nodes[child, SAME], log, c)
        if bound > best:
            best = bound
            chosen = child
        child = nodes[child, SIBLING]
    return chosen


def upper_bound(nodes, node, log, c):
    """UCB1: the value of a node plus C · √(ln of its parent's visits / its own)."""
    if nodes[node, PROVEN] != UNPROVEN:
        return NEVER  # there is nothing more to find out
    visits = nodes[node, VISITS]
    return nodes[node, TOTAL] / visits + c * math.sqrt(log / visits)


def mcts(
    game,
    iterations: Iterations = None,
    c: Exploration = 1.4,
    seconds: SecondsAMove = None,
    policy: Policy = Random(),  # noqa: B008 (immutable)
    by_value: ByValue = False,
    keep: Keep = False,
    solver: Solver = False,
    skip_ends: SkipEnds = False,
    own_reward: OwnReward = False,
    one_side: OneSide = False,
    wrong_side: WrongSide = False,
    share: Share = False,
    list_memory: ListMemory = False,
    room=None,
):
    """An `MCTS` for this game. Without any budget it takes 1,000 simulations a move.

    room: for so many nodes; a tree that is full grows no more, but its nodes are still visited.
    """
    if game.action_count() > 62:
        raise ValueError(f"{game}: more than 62 actions do not fit into one set of bits")
    if iterations is None and seconds is None:
        iterations = 1000
    if room is None:
        wanted = ROOM_FOR_TIME if iterations is None else max(2, iterations + 1)
        room = min(ROOM_FOR_TIME, 4 * wanted if keep else wanted)
    if room < 2:
        raise ValueError(f"room={room}: expected room for 2 nodes or more")
    tree = Tree(
        np.zeros((room, COLUMNS), np.int64),
        np.zeros(game.longest() + 2, np.int64),
        np.zeros(5, np.int64),
        np.full(game.action_count(), -math.inf),
        new_table(room if share else 1),
    )
    return MCTS(
        game,
        tree,
        iterations=UNLIMITED if iterations is None else iterations,
        c=as_float(c),
        seconds=0.0 if seconds is None else as_float(seconds),
        policy=policy,
        by_value=by_value,
        keep=keep,
        solver=solver,
        skip_ends=skip_ends,
        own_reward=own_reward,
        one_side=one_side,
        wrong_side=wrong_side,
        share=share,
        list_memory=list_memory,
    )
