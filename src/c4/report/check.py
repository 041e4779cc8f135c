"""What a search makes of known positions, as text: the board, and beside it the visits of each move and the truth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from c4.evaluation.known import Checked
from c4.players.moves import MoveNumbers
from c4.report.position import STONES, board_lines
from c4.report.words import RESULTS, score_text

BAR = 20  # characters
MOST_MOVES = 8  # of a board whose moves are many


def check_text(checked: Sequence[Checked]) -> str:
    parts = [known_text(one, number=number) for number, one in enumerate(checked, start=1)]
    told = [one for one in checked if one.keeps is not None]
    if told:
        keeps, best = (sum(bool(getattr(one, name)) for one in told) for name in ("keeps", "is_best"))
        said = f"of {len(told)} moves {keeps} keep the value of the position, and {best} are the best there is"
        parts.append(f"{said}: no win is sooner, no loss later")
    return "\n\n".join(parts)


def known_text(one: Checked, *, number: int | None = None) -> str:
    position = one.known.position
    where = position.text or "the empty board"
    head = f"{where}: {one.known.about}" if one.known.about and position.text else one.known.about or where
    board, table = board_lines(position), _table(one)
    width = max(map(len, board)) + 4
    lines = [f"{left:<{width}}{right}".rstrip() for left, right in zip_longest(board, table, fillvalue="")]
    return "\n".join([f"{'' if number is None else f'{number}. '}{head}", _said(one), "", *lines])


def _said(one: Checked) -> str:
    who = STONES[1 + one.known.position.ply % 2]
    name = one.known.position.action_name(one.played)
    said = f"{who} to move plays {name} after {one.simulations:,} simulations, value {one.value:+.2f}"
    scores = one.known.scores
    if one.keeps is None or scores is None:
        return said
    best = max(score for score in scores if score is not None)
    truth = RESULTS[(best > 0) - (best < 0)]
    wrong = "WRONG" if scores[one.played] is not None else "not known to keep it"
    verdict = "best" if one.is_best else "keeps the value" if one.keeps else wrong
    return f"{said}; in truth a {truth}: {verdict}"


def _table(one: Checked) -> list[str]:
    moves = list(one.moves)
    if len(moves) > MOST_MOVES:
        moves = sorted(moves, key=lambda move: -move.visits)[:MOST_MOVES]
    whole = max(1, sum(move.visits for move in one.moves))
    rows = [f"{'move':>4}  {'N':>6}  {'of the visits':<{BAR + 6}}  {'P':>6}  {'Q':>6}  {'M':>3}  solver"]
    rows += [_row(one, move, whole=whole) for move in moves]
    if hidden := len(one.moves) - len(moves):
        rest = sum(move.visits for move in one.moves) - sum(move.visits for move in moves)
        rows.append(f"{'':>4}  {rest:>6,}  of {hidden} other moves")
    return rows


def _row(one: Checked, move: MoveNumbers, *, whole: int) -> str:
    share = move.visits / whole
    bar = "█" * round(BAR * share)
    q = "" if move.q is None else f"{move.q:+.2f}"
    left = "" if move.plies_left is None else f"{move.plies_left:.0f}"
    score = None if one.known.scores is None else one.known.scores[move.action]
    truth = "" if score is None else score_text(score).replace("−", "-")
    mark = " <" if move.action == one.played else ""
    return (
        f"{move.name:>4}  {move.visits:>6,}  {bar:<{BAR}} {100 * share:>3.0f} %  {100 * move.prior:>4.0f} %  "
        f"{q:>6}  {left:>3}  {truth:>6}{mark}"
    )
