"""Pure Monte Carlo search against OpenSpiel's, in one run: the same positions, simulations and threads (one).

OpenSpiel: C++ MCTSBot with RandomRolloutEvaluator(1), UCT. Here: roll_out, one random game from each leaf.
"""

from __future__ import annotations

import time

import knobs
import pyspiel
import results

from c4.native import _core

SIMULATIONS = 1000
POSITIONS = [  # the game and what OpenSpiel calls it, the position, the moves in words of ours
    ("connect4", "connect_four", "empty board", ""),
    ("connect4", "connect_four", "after 8 plies", "44444433"),
    ("connect4", "connect_four", "after 16 plies", "2316442111453771"),
    ("gomoku15", "gomoku", "empty board", ""),
]
SECONDS = 3.0


def ours(position: _core.Position) -> float:
    searches = _core.Searches(position.game, 1, knobs.search(cpuct=2.0))
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        searches.set_position(0, position)
        searches.think(0, SIMULATIONS)
        searches.roll_out(done)
        done += SIMULATIONS
    return done / (time.perf_counter() - start)


def open_spiel(position: _core.Position, *, name: str) -> float:
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 42)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1000, False, 42, False)
    state = game.new_initial_state()
    for action in position.actions:
        state.apply_action(action)
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        bot.step(state)
        done += SIMULATIONS
    return done / (time.perf_counter() - start)


def main() -> None:
    rows = []
    for game, name, words, moves in POSITIONS:
        position = _core.Position(game, moves)
        theirs, here = open_spiel(position, name=name), ours(position)
        rows.append(
            {"position": f"{game}, {words}", "OpenSpiel/s": round(theirs), "c4/s": round(here), "ratio": here / theirs}
        )
    results.publish("rollouts", rows)


if __name__ == "__main__":
    main()
