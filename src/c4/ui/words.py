"""Numbers and endings as text: what the terminal board and the plain lines say alike."""

from __future__ import annotations

from collections.abc import Sequence

from c4.params.play import Seat
from c4.players.moves import MoveNumbers, Proof
from c4.players.oracle import ForcedWin
from c4.ui.analysis import Analysis
from c4.ui.session import NAMES, GameEnding, Outcome
from c4.ui.table import Reviewed

STONES = ("X", "O")
HEAD = ("move", "N", "P", "Q", "left", "exact")
LEGEND = {
    "N": "visits of the search",
    "P": "prior: how likely the network finds the move, unsearched",
    "Q": "value for who plays it, from -1 (lost) to +1 (won)",
    "left": "plies to the end",
    "exact": "perfect play: + wins, the more the sooner; = draws; - loses",
}
SHORT_LEGEND = {"N": "visits", "P": "prior", "Q": "value, -1 to +1", "left": "plies to go", "exact": "+ wins, = draws"}


def ranked(analysis: Analysis, *, most: int) -> list[MoveNumbers]:
    """All moves in their order where they are few, else the most visited first."""
    if len(analysis.moves) <= most:
        return list(analysis.moves)
    return sorted(analysis.moves, key=lambda move: (-move.visits, -move.prior))[:most]


def numbers(move: MoveNumbers, *, exact: int | None) -> tuple[str, ...]:
    """One row under HEAD."""
    q = "" if move.q is None else signed(move.q)
    left = "" if move.plies_left is None else f"{move.plies_left:.0f}"
    if move.proof is not None:
        q, left = {1: "wins", 0: "draws", -1: "loses"}[move.proof.result], str(move.proof.plies)
    return move.name, count(move.visits), share(move.prior), q, left, exact_text(exact)


def share(part: float) -> str:
    """In four characters at most."""
    return f"{part:.0%}" if part >= 0.0995 else f"{part:.1%}"


def count(number: int) -> str:
    """In five characters at most."""
    if number < 100_000:
        return str(number)
    return f"{number // 1000}k" if number < 10_000_000 else f"{number // 1_000_000}M"


def signed(value: float) -> str:
    """Without the sign of a nought."""
    text = f"{value:+.2f}"
    return "0.00" if text in {"+0.00", "-0.00"} else text


def exact_text(score: int | None) -> str:
    """Perfect play's score of a move: positive wins, the larger the sooner."""
    if score is None:
        return ""
    return f"{score:+d}" if score else "="


def verdict(analysis: Analysis, *, to_move: int, stones: Sequence[str] = STONES) -> str:
    """What the search says of the position, in a sentence."""
    mark = stones[to_move]
    if analysis.proof is not None:
        return f"{mark} {proof_text(analysis.proof)}"
    return f"{mark} to move: value {signed(analysis.value)}, about {analysis.plies_left:.0f} plies left"


def proof_text(proof: Proof) -> str:
    if proof.result == 0:
        return f"draws, proven: in {plies(proof.plies)}"
    return f"{'wins' if proof.result > 0 else 'loses'} in {plies(proof.plies)}, proven"


def outcome_text(outcome: Outcome, *, seat: Seat, opponent: str, stones: Sequence[str] = STONES) -> str:
    if outcome.winner is None:
        return "a draw: the board is full"
    winner = f"{stones[outcome.winner]} ({NAMES[outcome.winner]})"
    how = " by resignation" if outcome.ending is GameEnding.RESIGNED else ""
    if seat is Seat.NONE:
        return f"{winner} won{how}"
    person = seat is (Seat.FIRST, Seat.SECOND)[outcome.winner]
    return f"you won{how} as {winner}" if person else f"{opponent} won{how} as {winner}"


def forced_text(forced: ForcedWin) -> str:
    return f"wins in {plies(forced.plies)} by {forced.by}"


def review_text(told: Reviewed) -> str:
    """A ply of a reviewed game in one line."""
    value = f"value for first {signed(told.analysis.value_of_first)}"
    if told.verdict is None:
        return f"{'start':>12}  {value}"
    before = told.position.actions[-1]
    move = f"{told.ply:>3}. {STONES[(told.ply - 1) % 2]} {told.position.action_name(before)}{told.verdict.mark}"
    sentence = f"  {told.verdict.sentence} (by {told.verdict.by})" if told.verdict.sentence else ""
    return f"{move:<12}  {value}{sentence}"


def line_text(names: Sequence[str]) -> str:
    return " ".join(names)


def plies(count: int) -> str:
    return f"{count} {'ply' if count == 1 else 'plies'}"
