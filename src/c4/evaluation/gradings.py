"""How weights are graded against the truth while a run trains, as a function of their judge: the learner asks it, or a
task of a cluster (evaluation/beside.py). Knows no callbacks.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from c4.evaluation.judges import Budgets, bare_network, searched
from c4.evaluation.labels import LabelledSet
from c4.evaluation.report import Graded, Report, brief_report
from c4.evaluation.sets import chosen_sets, labelled_set, set_names, subset
from c4.network.inference.engine import Judge
from c4.params.evaluation import EvaluationParams
from c4.params.search import SearchParams


@dataclasses.dataclass(frozen=True, kw_only=True)
class Grading:
    game: str
    search: SearchParams
    params: EvaluationParams

    @property
    def budgets(self) -> Budgets:
        params = self.params
        return Budgets(trees=params.trees, threads=params.threads, cache_megabytes=params.cache_megabytes)

    def dev_set(self) -> LabelledSet | None:
        """On which a generation is graded; None for games that nobody has solved."""
        names = set_names(self.game)
        return labelled_set(names[0], game=self.game) if names else None

    def of_generation(self, dev: LabelledSet, *, judge: Judge) -> Report:
        small = subset(dev, count=self.params.grading.positions)
        return self._report(self._graded(dev, judge=judge, searched_on=small))

    def of_run(self, *, judge: Judge) -> Report:
        """All sets, whole."""
        everything: list[Graded] = []
        for labels in chosen_sets(self.params.sets, game=self.game):
            also = self.params.grading.also_at_end
            everything += self._graded(labels, judge=judge, searched_on=labels, also=also)
        return self._report(everything)

    def _graded(
        self, labels: LabelledSet, *, judge: Judge, searched_on: LabelledSet, also: Sequence[int] = ()
    ) -> list[Graded]:
        budgets = sorted({*self.params.grading.simulations, *also})
        graded = []
        if 0 in budgets:
            graded.append(Graded(labels=labels, simulations=0, judgement=bare_network(labels, judge)))
        if thinking := [budget for budget in budgets if budget > 0]:
            found = searched(
                searched_on.positions(), judge, params=self.search, simulations=thinking, budgets=self.budgets
            )
            graded += [Graded(labels=searched_on, simulations=one, judgement=found[one]) for one in thinking]
        return graded

    def _report(self, graded: Sequence[Graded]) -> Report:
        return brief_report(graded, game=self.game, search=self.search, params=self.params)
