"""What trackers are shown of a run, and when: gradings now and then; at the end curves, and the best player's card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from c4.evaluation.report import Report
from c4.native._core import Position
from c4.network.inference.engine import Judge
from c4.network.weights import PlayerFileError, load_player
from c4.params.play import LevelParams
from c4.params.search import SearchParams
from c4.players.forest import as_played
from c4.players.thinker import Thinker
from c4.report.champion import card_text, plain_card
from c4.report.figures import evaluation_table
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics
from c4.run.origin import origin_of
from c4.tracking.loggers import Loggers
from c4.tracking.tracker import Conclusion

OF_THE_BEST = ("truth/value_preserving", "truth/distance_optimal", "baseline/strength")
OF_THE_RUN = ("budget/minutes", "total/games", "total/samples", "total/steps")


class Delivery:
    def __init__(self, loggers: Loggers, *, folder: RunFolder) -> None:
        self._loggers, self._folder = loggers, folder
        self._reports: dict[int, Report] = {}
        self._shown: Report | None = None

    def graded(self, report: Report, generation: int) -> None:
        """Takes a grading; shows the 1st, 2nd, 4th, 8th ... of a session: long runs are not to drown in pictures."""
        self._reports[generation] = report
        if (count := len(self._reports)) & (count - 1) == 0:
            self._show()

    def searched(self, judge: Judge, *, game: str, search: SearchParams, simulations: int) -> None:
        """Shows what the newest weights think of the empty board, as a tree; once, at the end of a run."""
        if not (simulations and self._loggers.wants_exhibits()):
            return
        from c4.report.search_tree import tree_picture  # late: it draws

        start = Position(game)
        thinker = Thinker(position=start, params=as_played(search), judge=judge, cache_megabytes=0.0, seed=0)
        thinker.think(start, level=LevelParams(simulations=simulations, seconds=None))
        self._loggers.show([tree_picture(thinker)], step=max(read_metrics(self._folder), default=0))

    def conclude(self, *, failed: bool) -> None:
        """Shows the newest grading and the curves, hands over the best player, and ends every tracker."""
        if not self._loggers.wants_exhibits():
            return
        rows = read_metrics(self._folder)
        if self._reports:
            self._show()
        if rows:
            from c4.report.exhibits import learning_exhibits  # late: it draws

            self._loggers.show(learning_exhibits(rows), step=max(rows))
        self._loggers.conclude(self._conclusion(rows, failed=failed))

    def _show(self) -> None:
        """The newest."""
        generation = max(self._reports)
        if self._reports[generation] is not self._shown:
            from c4.report.exhibits import grading_exhibits  # late: it draws

            self._loggers.show(grading_exhibits(self._reports), step=generation)
        self._shown = self._reports[generation]

    def _conclusion(self, rows: Mapping[int, Mapping[str, float]], *, failed: bool) -> Conclusion:
        path = self._folder.player("best")
        best: dict[str, Any] = {}
        try:
            best = dict(load_player(path).card) if path.exists() else {}
        except PlayerFileError:  # its own sentence comes when somebody plays it
            path = path.with_name("")
        metrics: Mapping[str, float] = best.get("metrics", {})
        report = self._reports.get(best.get("generation", 0))
        summary = _summary(rows, best=best, report=report)
        title = f"{best.get('run', 'run')}, the best player: generation {best.get('generation', '?')}"
        origin = origin_of(path)
        return Conclusion(
            failed=failed,
            player=path if best else None,
            card=card_text(report, title=title, origin=origin)
            if report
            else plain_card(title=title, origin=origin, metrics=metrics),
            about={**best, "origin": origin, "summary": summary},
            summary=summary,
        )


def _summary(
    rows: Mapping[int, Mapping[str, float]], *, best: Mapping[str, Any], report: Report | None
) -> dict[str, float | str]:
    """Flat numbers under names that every run has as far as it was graded."""
    summary: dict[str, float | str] = {"run/generations": len(rows)}
    newest = rows[max(rows)] if rows else {}
    summary |= {f"run/{name.partition('/')[2]}": newest[name] for name in OF_THE_RUN if name in newest}
    if best:
        summary["best/generation"] = best.get("generation", 0)
        summary |= {
            f"best/{name.partition('/')[2]}": value
            for name, value in best.get("metrics", {}).items()
            if any(name == stem or name.removeprefix(f"{stem}_").isdigit() for stem in OF_THE_BEST)
        }
    if report is not None:  # in per cent: sorted upwards, the best run stands first
        summary |= {
            f"error/{row[0]}_{row[1]}": row[3] for row in evaluation_table(report).rows if isinstance(row[3], float)
        }
    return summary
