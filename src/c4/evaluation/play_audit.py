"""Audits games that a player plays against itself now, with the settings of the run that it comes from."""

from __future__ import annotations

import dataclasses
from typing import Any

from omegaconf import OmegaConf

from c4.evaluation.judges import Budgets, calm_search
from c4.evaluation.selfplay_audit import Audit, game_records, selfplay_audit
from c4.games import GameSpec
from c4.network.inference.engine import InferenceEngine
from c4.params.former import as_today
from c4.params.search import SearchParams
from c4.params.source import SourceParams
from c4.players.oracle import oracle
from c4.run.about import RunFileError, read_config
from c4.run.folder import RunFolder
from c4.run.kept import AuditError
from c4.selfplay.local import LocalSource
from c4.selfplay.source import Glance
from c4.sources import SHIPPED, opened


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How a run plays against itself."""

    search: SearchParams
    selfplay: SourceParams
    opening_plies: int


def settings_of(run: RunFolder | None) -> RunSettings:
    """From the configuration that a run keeps; knobs that it did not know yet, or all without one, as they are today.

    Raises AuditError.
    """
    today = _today()
    if run is None:
        return _settings(today, today=today)
    try:
        return _settings(read_config(run), today=today)
    except RunFileError as error:
        raise AuditError(str(error)) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise AuditError(f"{run.config} is not the configuration of a run ({error})") from None


def _settings(kept: Any, *, today: Any) -> RunSettings:
    return RunSettings(
        search=as_today(SearchParams, kept["search"], today=today["search"]),
        selfplay=as_today(SourceParams, kept["selfplay"], today=today["selfplay"]),
        opening_plies=int(kept["callbacks"]["health"]["opening_plies"]),
    )


def _today() -> Any:
    with opened(conf=SHIPPED, name="train") as sources:
        return OmegaConf.to_container(sources.compose([]))


def play_audit(
    *, game: GameSpec, engine: InferenceEngine, settings: RunSettings, games: int, budgets: Budgets, seed: int
) -> Audit:
    """Raises NoOracleError where nobody knows the truth."""
    truth = oracle(game.name)
    flying = max(1, games // 2)
    groups = min(settings.selfplay.groups, flying)
    selfplay = dataclasses.replace(settings.selfplay, groups=groups, games_per_group=-(-flying // groups))
    source = LocalSource(game=game, search=settings.search, selfplay=selfplay, engine=engine, seed=seed)

    def enough(glance: Glance) -> bool:
        # The games that end first are the short ones: those that began first are wanted, long ones included.
        return glance.counters["games"] >= games + flying

    harvest = source.collect(wanted=1 << 40, version=0, watch=enough)
    began_first = [one for one in harvest.games if one["game_id"] < games]
    return selfplay_audit(
        game=game.name,
        records=game_records(began_first),
        value=truth.value,
        calm_search=calm_search(game=game.name, judge=engine, search=settings.search, budgets=budgets),
        opening_plies=settings.opening_plies,
        samples=harvest.samples,
    )
