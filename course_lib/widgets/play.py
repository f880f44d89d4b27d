"""Play against an agent, or watch two of them; ask what they think and why they moved."""

import traceback

import numpy as np
from ipywidgets import Dropdown, IntSlider, Layout

from course_lib.arena import check_agent, choose, illegal, is_legal, label
from course_lib.games.hidden import has_secrets, shown_to
from course_lib.position import PLAYERS, Position, describe
from course_lib.protocol import DEAD, FULL, RESIGN
from course_lib.thoughts import thought
from course_lib.training import is_learner
from course_lib.twospeed import compilable, fast
from course_lib.widgets.background import Background, later
from course_lib.widgets.board import Board, drawing, row
from course_lib.widgets.surface import SpokenSliders

PERSON = None
FIRST_MOVE = 10  # seconds for which a board waits with it before it shows itself


class Play(Board):
    """A board with players: for each seat an agent, or PERSON."""

    def __init__(self, game, players, learn=False, hints=(), seed=0):
        for seat, player in enumerate(players):
            if player is not PERSON:
                check_agent(game, player, [seat])
        self.players = list(players)
        self.learn = learn
        self.rng = np.random.default_rng([seed, 0])
        self.background = Background()
        self.score = {"first": 0, "ties": 0, "second": 0}
        self.seats = [0, 1]  # which of the players given sits in which seat
        self.resigned = None
        self.counted = False
        self.not_learnt = ""  # why nothing is learnt from this game
        self.note, self.marks, self.problem = "", {}, False
        self.waiting = ""  # for what, in words
        self.running = False
        self.hints = tuple(hints)
        asked = [*hints, *(player for player in players if player is not PERSON)]
        self.minds = Dropdown(
            options=[(label(agent), number) for number, agent in enumerate(asked)],
            layout=Layout(width="auto"),
        )
        self.hint_button = self.button("Hint", "what does this agent think?", self.hint)
        self.hint_button.disabled = not asked
        self.why_button = self.button("Why?", "the reasons behind the last move", self.why)
        self.stop_button = self.button("Stop", "do not wait for the agent", self.stop)
        self.swap_button = self.button("Swap sides", "change who begins", self.swap)
        self.step_button = self.button("Step", "let the agent make one move", self.step)
        self.run_button = self.button("Run", "let them play on", self.run)
        self.pace = IntSlider(3, 1, 10, description="moves/s", layout=Layout(width="220px"))
        self.looking = False  # whether the mover has a look at its own trap
        self.look_button = self.button("Look", "show the mover's own trap", self.look)
        super().__init__(game)
        watching = PERSON not in players
        self.children = [
            self.surface,
            row(
                [self.undo_button, self.new_button, self.swap_button, self.stop_button]
                + ([self.look_button] if self.shared() else [])
            ),
            row(
                (
                    [self.step_button, self.run_button, self.pace, SpokenSliders()]
                    if watching
                    else []
                )
                + [self.hint_button, self.minds, self.why_button]
            ),
        ]
        self.begin()

    # Secrets

    def shared(self):
        """Whether two persons look at this screen and have something to hide from each other."""
        return has_secrets(self.game) and self.players == [PERSON, PERSON]

    def hides(self):
        """Whether anything is to be kept from a person."""
        return has_secrets(self.game) and PERSON in self.players and not self.over()

    def told(self, seat):
        """Whether what this player does in secret is shown."""
        if not self.hides():
            return True
        if self.shared():
            return self.looking and seat == self.game.mover(self.state)
        return self.players[seat] is PERSON

    def visible(self):
        """The position as whoever looks at the screen may see it: all when the game is over."""
        state = self.state
        for seat in (0, 1):
            if not self.told(seat):
                state = self.game.seen_by(state, 1 - seat)
        return state

    def position(self):
        last = self.actions[-1] if self.actions else -1
        if last >= 0 and not self.told_of(len(self.actions) - 1):
            last = -1
        return Position(self.game, self.visible(), last)

    def told_of(self, number):
        """Whether move `number` of this game may be told."""
        action = self.actions[number]
        kept = has_secrets(self.game) and self.game.secret(action)
        return not kept or self.told(self.game.mover(self.states[number]))

    def words_of(self, number):
        return describe(self.game, self.actions[number]) if self.told_of(number) else "a trap"

    def look(self):
        self.looking = not self.looking
        self.paint()

    # A game

    def begin(self):
        self.resigned, self.counted, self.not_learnt = None, False, ""
        self.last_thought_of = None
        for seat in (0, 1):
            if self.learns(seat):
                self.prepare(seat)
        self.go_on()

    def prepare(self, seat):
        player = self.players[seat]
        readiness = player.ready(self.game, seat)
        if readiness == FULL:
            self.players[seat] = player = player.grown()
        if readiness == DEAD:
            self.not_learnt = f"{label(player)} is dead: it can't move, and learns nothing any more"
        player.begin()

    def learns(self, seat):
        return self.learn and is_learner(self.players[seat])

    def over(self):
        return self.resigned is not None or self.game.over(self.state)

    def go_on(self):
        """After a move: count the result, wait for the person, or let the agent think."""
        if self.over():
            self.finish()
        elif self.players[self.game.mover(self.state)] is not PERSON and (
            self.running or PERSON in self.players
        ):
            self.think()
        self.paint()

    def think(self):
        seat = self.game.mover(self.state)
        agent, state = self.players[seat], shown_to(self.game, self.state, seat)
        self.wait(
            f"{self.name(seat)} is thinking",
            lambda: self.ask(agent, seat, state),
            lambda action: self.answer(agent, state, action),
            agent,
        )

    def wait(self, words, work, done, agent):
        """Let an agent work; whatever goes wrong, then or afterwards, is shown."""

        def finished(found):
            with self.surface.failures_shown():
                done(found)

        self.waiting = words
        self.background.start(work, finished, lambda error: self.fail(agent, error))

    def ask(self, agent, seat, state):
        if self.learns(seat) and not self.not_learnt:
            return agent.act(self.game, state, self.rng)
        ours = type(agent).__module__.startswith("course_lib.") and compilable(self.game, agent)
        return fast(choose, None if ours else "python")(agent, self.game, state, self.rng)

    def answer(self, agent, state, action):
        self.last_thought_of = (agent, state, action)
        if action == RESIGN:
            self.resigned = self.game.mover(state)
        elif not is_legal(self.game, state, action):
            self.fail(agent, ValueError(illegal(Position(self.game, state), action)))
            return
        else:
            self.put(int(action))
        if self.running and not self.over():
            self.paint()
            later(1 / self.pace.value, self.run_on)
        else:
            self.running = False
            self.go_on()

    def run_on(self):
        with self.surface.failures_shown():
            if self.running and not self.background.busy():
                self.go_on()

    def fail(self, agent, error):
        """Say what an agent did wrong, and where in its code if it raised."""
        self.running = False
        where = "".join(traceback.format_tb(error.__traceback__)[-2:])
        kind = f"{type(error).__name__}: " if where else ""
        self.say(f"{label(agent)} failed: {kind}{error}\n{where}".rstrip(), problem=True)
        self.paint()

    def say(self, note="", problem=False):
        """A note below the board; numbers on it are wiped out."""
        self.note, self.marks, self.problem = note, {}, problem

    def finish(self):
        if self.counted:
            return
        self.counted = True
        result = self.result()
        winner = None if result == 0 else 0 if result > 0 else 1
        key = "ties" if winner is None else ("first", "second")[self.seats[winner]]
        self.score[key] += 1
        learnt = []
        for seat in (0, 1):
            if self.learns(seat) and not self.not_learnt:
                self.players[seat].learn(self.game, result if seat == 0 else -result)
                learnt.append(label(self.players[seat]))
        if learnt:
            self.say(f"{' and '.join(learnt)} learnt from this game")
        elif any(self.learns(seat) for seat in (0, 1)):
            self.say(self.not_learnt)

    def result(self):
        """For player 0."""
        if self.resigned is not None:
            return -1 if self.resigned == 0 else 1
        result = self.game.result(self.state)
        return result if self.game.mover(self.state) == 0 else -result

    # What a person does

    def choose(self, action):
        if self.over():
            raise ValueError("this game is finished: start a new one")
        if self.background.busy():
            raise ValueError("it is not your turn: wait, or stop the agent")
        if self.players[self.game.mover(self.state)] is not PERSON:
            raise ValueError("it is the agent's turn: take a move back, step, or start a new game")
        if self.hides() and not is_legal(self.game, self.state, int(action)):
            raise ValueError("not there: it is taken, or you laid your last trap there")
        self.put(int(action))
        self.looking = False
        self.say()
        self.go_on()

    def undo(self):
        """Back to the person's last turn; when two agents play, one move back."""
        self.stop(paint=False)
        self.say()
        self.resigned = None
        if self.actions:
            self.not_learnt = "A move was taken back: nothing is learnt from this game"
            self.states.pop()
            self.actions.pop()
            if PERSON in self.players:
                while self.actions and self.players[self.game.mover(self.state)] is not PERSON:
                    self.states.pop()
                    self.actions.pop()
        self.last_thought_of = None
        if self.players[self.game.mover(self.state)] is not PERSON and PERSON in self.players:
            self.go_on()
        self.paint()

    def new(self):
        self.stop(paint=False)
        del self.states[1:]
        self.actions.clear()
        self.say()
        self.begin()

    def swap(self):
        for seat, player in enumerate(reversed(self.players)):
            if player is not PERSON:
                check_agent(self.game, player, [seat])
        self.players.reverse()
        self.seats.reverse()
        self.new()

    def stop(self, paint=True):
        if self.background.busy():
            self.background.stop()
            self.say(f"Stopped: {self.waiting}. Go on with Undo or New game")
        self.running = False
        if paint:
            self.paint()

    def step(self):
        if not self.over() and not self.background.busy():
            self.say()
            self.think()
            self.paint()

    def run(self):
        self.running = not self.running and not self.over()
        if self.running and not self.background.busy():
            self.say()
            self.go_on()
        self.paint()

    def hint(self):
        """What the chosen agent thinks of this position, on the board."""
        self.check_idle()
        mind = self.mind_asked()
        state = shown_to(self.game, self.state, self.game.mover(self.state))
        if self.over():
            raise ValueError("this game is finished: there is nothing to think about")
        self.wait(
            f"asking {label(mind)}",
            lambda: thought(mind, self.game, state),
            lambda found: self.show_thought(f"{label(mind)}: ", found),
            mind,
        )
        self.paint()

    def mind_asked(self):
        """The agent in the list beside Hint, as it is by now: a learner may have been replaced."""
        number = self.minds.value
        if number < len(self.hints):
            return self.hints[number]
        given = [self.players[self.seats.index(each)] for each in (0, 1)]
        return [player for player in given if player is not PERSON][number - len(self.hints)]

    def check_idle(self):
        if self.background.busy():
            raise ValueError("an agent is thinking: wait, or stop it")

    def why(self):
        """The evidence behind the last move of an agent."""
        self.check_idle()
        if self.last_thought_of is None:
            self.say("No agent has moved yet")
            self.paint()
            return
        agent, state, action = self.last_thought_of
        if has_secrets(self.game) and self.game.secret(action) and self.hides():
            self.say(f"{label(agent)} keeps its trap a secret until the game is over")
            self.paint()
            return
        did = "resigned" if action == RESIGN else f"played {describe(self.game, int(action))}"
        self.wait(
            f"asking {label(agent)}",
            lambda: thought(agent, self.game, state),
            lambda found: self.show_thought(f"{label(agent)} {did}. ", found, marks=False),
            agent,
        )
        self.paint()

    def show_thought(self, opening, found, marks=True):
        self.say(opening + found.words)
        self.marks = found.marks if marks else {}
        self.paint()

    # What is shown

    def paint(self, message=""):
        busy = self.background.busy()
        self.undo_button.disabled = not self.actions
        self.stop_button.disabled = not (busy or self.running)
        self.run_button.description = "Pause" if self.running else "Run"
        self.surface.show(
            drawing(self.position(), self.marks),
            self.status(),
            self.moves_told(),
            message or self.note,
            busy,
            self.game.mover(self.state),
            self.problem,
            self.spoken(),
        )

    def status(self):
        if self.resigned is not None:
            happened = f"{self.name(self.resigned)} resigned, {self.name(1 - self.resigned)} won"
        elif self.game.over(self.state):
            result = self.result()
            happened = "a tie" if result == 0 else f"{self.name(0 if result > 0 else 1)} won"
        elif self.background.busy():
            happened = self.waiting
        else:
            happened = f"{self.name(self.game.mover(self.state))} to {self.task()}"
        return f"{happened}   ·   {self.score_line()}"

    def task(self):
        """What the player to move is to do."""
        task = self.game.task(self.state) if hasattr(self.game, "task") else "move"
        if self.shared() and task == "lay a trap":
            other = PLAYERS[1 - self.game.mover(self.state)]
            task += f" (and {other} looks away)"
        return task

    def score_line(self):
        first, second = (self.plain_name(self.seats.index(given)) for given in (0, 1))
        return (
            f"{first} {self.score['first']}, ties {self.score['ties']}, "
            f"{second} {self.score['second']}"
        )

    def plain_name(self, seat):
        player = self.players[seat]
        return "you" if player is PERSON else label(player)

    def name(self, seat):
        return f"{self.plain_name(seat)} ({PLAYERS[seat]})"

    def _repr_mimebundle_(self, **kwargs):
        self.background.settle(FIRST_MOVE)  # so that the same is stored at each run
        return super()._repr_mimebundle_(**kwargs)

    def __repr__(self):
        return f"{self.status()}\n{self.position()!r}"


def play(game, opponent, first=PERSON, learn=False, hints=(), seed=0):
    """Play against `opponent`; you move first. With an agent as `first` the two play each other.

    learn: learners learn from the games on this board. hints: more agents to ask for a hint.
    """
    return Play(game, (first, opponent), learn, hints, seed)
