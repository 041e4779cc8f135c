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
POSITIONS = {"empty board": "", "after 8 plies": "44444433", "after 16 plies": "2316442111453771"}
SECONDS = 3.0


def ours(moves: str) -> float:
    searches = _core.Searches("connect4", 1, knobs.search(cpuct=2.0))
    position = _core.Position("connect4", moves)
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        searches.set_position(0, position)
        searches.think(0, SIMULATIONS)
        searches.roll_out(done)
        done += SIMULATIONS
    return done / (time.perf_counter() - start)


def open_spiel(moves: str) -> float:
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 42)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1000, False, 42, False)
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(int(move) - 1)
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        bot.step(state)
        done += SIMULATIONS
    return done / (time.perf_counter() - start)


def main() -> None:
    rows = []
    for name, moves in POSITIONS.items():
        theirs, here = open_spiel(moves), ours(moves)
        rows.append({"position": name, "OpenSpiel/s": round(theirs), "c4/s": round(here), "ratio": here / theirs})
    results.publish("rollouts", rows)


if __name__ == "__main__":
    main()
