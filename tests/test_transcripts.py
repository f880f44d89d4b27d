"""One game of each kind, written out in full and compared with what it was: golden transcripts.

A transcript is for people, too: read it beside the rules. After a change that is meant to change
one, write them anew and look at the difference before you keep it:

    python -m tests.test_transcripts
"""

from pathlib import Path

import pytest

from course_lib.games import Connect4, DotsAndBoxes, TicTacToe, TicTrapToe
from course_lib.position import Position

FOLDER = Path(__file__).parent / "transcripts"

GAMES = {
    "tic_tac_toe_3": (TicTacToe(), [4, 1, 0, 8, 6, 3, 2]),
    "connect4_4_5_3": (Connect4(4, 5, 3), [0, 4, 4, 1, 2, 2, 2, 0, 3, 2, 4, 4, 1]),
    "tic_trap_toe": (
        TicTrapToe(),
        [4, 9 + 0, 0, 18 + 0, 9 + 8, 2, 9 + 6, 6, 18 + 6, 9 + 6, 0, 9 + 1, 1, 18 + 1, 9 + 8, 6],
    ),
    "dots_and_boxes_2_2": (DotsAndBoxes(2, 2), [2, 10, 1, 6, 3, 7, 8, 9, 11, 0, 4, 5]),
}


def position_in_words(game, state):
    key, symmetry = game.canonical(state)
    lines = [game.draw(state), f"key {game.key(state)}, canonical {key} by symmetry {symmetry}"]
    if game.over(state):
        lines.append(f"over; result for player {game.mover(state)}: {game.result(state):+d}")
    else:
        lines.append(f"legal: {' '.join(map(str, game.actions(state)))}")
    return [*lines, Position(game, state).status()]


def transcript(game, actions):
    """Every move in words, and after it the board, its key, the legal moves and who is to move."""
    state = game.start()
    lines = [repr(game), "", *position_in_words(game, state)]
    for number, action in enumerate(actions, 1):
        assert not game.over(state) and action in game.actions(state)
        lines += ["", f"{number}. {'XO'[game.mover(state)]} plays {game.describe(action)}"]
        state = game.play(state, action)
        lines += position_in_words(game, state)
    assert game.over(state), "a transcript goes to the end of the game"
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_the_game_goes_as_it_is_written_down(name):
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert transcript(*GAMES[name]) == written


def test_there_is_no_transcript_without_a_game():
    assert {path.stem for path in FOLDER.glob("*")} == set(GAMES)


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, (game, actions) in GAMES.items():
        path = FOLDER / f"{name}.txt"
        path.write_text(transcript(game, actions), encoding="utf-8")
        print(f"written: {path.relative_to(FOLDER.parents[1])}")


if __name__ == "__main__":
    main()
