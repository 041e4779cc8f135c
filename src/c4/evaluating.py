"""What `evaluate.py` does with its configuration: loads players, judges them, and writes the result."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from c4 import printed
from c4.evaluation.arena import tournament
from c4.evaluation.away import away, contract_of
from c4.evaluation.failures import BookError, read_book, write_book
from c4.evaluation.games import PlayedGame, record
from c4.evaluation.judges import Budgets
from c4.evaluation.labels import LabelError, LabelledSet, concatenate, read_labelled
from c4.evaluation.play_audit import play_audit, settings_of
from c4.evaluation.report import Report, Subject, final_figures, full_report, moves_left_table
from c4.evaluation.seeds import over_seeds, setting_of
from c4.evaluation.selfplay_audit import Audit, together
from c4.evaluation.sets import chosen_sets
from c4.files import write_beside
from c4.games import UnknownGameError
from c4.judged import Named, chosen, one_game, opened, players_of, say, searches_of, unheard
from c4.looking import check, check_picture, look_into, write_picture
from c4.network.inference.engine import EngineUnavailableError
from c4.network.weights import PlayerFileError, load_player
from c4.params.errors import ConfigError
from c4.params.evaluate import EvaluateConfig, Mode, Output
from c4.params.plain import as_plain
from c4.params.target import Target
from c4.params.walk import build
from c4.players.checkpoints import player_file
from c4.players.engines import Engines
from c4.players.oracle import NoOracleError
from c4.players.player import Player, PlayerWordError
from c4.players.roster import Roster
from c4.players.words import Kinds
from c4.report.audit_table import audit_rows
from c4.report.champion import write_champion
from c4.report.provenance import player_facts, provenance
from c4.report.terminal import moves_left_rows, report_table, standings_table
from c4.report.words import search_words
from c4.run.finding import run_of
from c4.run.kept import AuditError, read_audits
from c4.run.metrics import read_metrics
from c4.run.origin import made_here, origin_of

SECONDS_OF_SILENCE = 5
KEPT_GAMES = 200  # games of the run's own audits that a report takes together
OUTPUTS = {  # a report has all of them
    Mode.MLH: (Output.TABLE, Output.JSON),
    Mode.ARENA: (Output.TABLE, Output.JSON),
    Mode.AUDIT: (Output.TABLE, Output.JSON, Output.HTML),
    Mode.TREE: (Output.TABLE, Output.JSON),
    Mode.CHECK: (Output.TABLE, Output.JSON),
}
LOOKS = {Mode.TREE: look_into, Mode.CHECK: check}
BAD_INPUT = (
    AuditError,
    BookError,
    EngineUnavailableError,
    LabelError,
    NoOracleError,
    PlayerFileError,
    PlayerWordError,
    UnknownGameError,
)


def evaluate(composed: DictConfig) -> dict[str, float]:
    """Figures of a report by their names in docs/METRICS.md, the mean where there are several players.

    Raises ConfigError, with one sentence, for anything that was asked wrongly.
    """
    config = build(EvaluateConfig, composed)
    if config.output not in OUTPUTS.get(config.mode, Output):
        has = ", ".join(output.value for output in OUTPUTS[config.mode])
        raise ConfigError(f"mode={config.mode.value} has no output={config.output.value}: it has {has}")
    try:
        _check_places(config)
        if config.mode is Mode.ARENA:
            _arena(config)
        elif config.mode is Mode.MLH:
            _moves_left(config)
        elif config.mode is Mode.AUDIT:
            _audit(config)
        elif config.mode in LOOKS:
            _look(config)
        else:
            return _report(config)
    except BAD_INPUT as error:
        raise ConfigError(str(error)) from error
    return {}


def _look(config: EvaluateConfig) -> None:
    (one,) = players_of(config)
    with closing(opened(one.player, config)) as engine:
        found = LOOKS[config.mode](one, engine, config)
    if config.output is Output.JSON:
        _write_json(found.data)
        return
    if found.picture is not None:
        write_picture(found.picture, Path(config.file))
        say(f"the picture is in {config.file}")
    _write(found.text)


def _report(config: EvaluateConfig) -> dict[str, float]:
    players = players_of(config)
    game = players[0].player.spec.name
    sets = _sets(config, game=game)
    if config.output is Output.CHAMPION and len(players) > 1:
        raise ConfigError("output=champion takes one checkpoint: a game has one champion")
    reports, curves = [], {}
    for one in players:
        with closing(opened(one.player, config)) as engine:
            subject = Subject(name=one.name, game=game, judge=engine, search=one.search)
            progress = unheard if config.output is Output.NONE else say
            reports.append(full_report(subject, sets, params=config.evaluation, progress=progress))
        reports[-1]["made"] = player_facts(one.path, card=one.player.card, search=as_plain(one.search))
        if run := run_of(one.path):
            reports[-1]["run"] = setting_of(run)
            if rows := read_metrics(run):
                curves[one.name] = rows
        if audit := _kept_audit(one.path):
            reports[-1]["selfplay"] = audit
        if config.evaluation.failures is not None and "failures" in reports[-1]:
            write_book(Path(config.evaluation.failures), reports[-1]["failures"], game=game)
    if config.output is Output.JSON:
        _write_json({"reports": reports, "seeds": over_seeds(reports), "made": made_here()})
    elif config.output is Output.HTML:
        from c4.report.player import player_page  # late: the other outputs draw nothing

        made = {report["name"]: report["made"] for report in reports}
        facts = provenance(players=made)
        _write_page(player_page(reports, curves=curves, facts=facts), config)
    elif config.output is Output.CHAMPION:
        (one,) = players
        for path in write_champion(Path(config.file), one.player, reports[0], origin=origin_of(one.path)):
            say(f"written: {path}")
    elif config.output is Output.TABLE:
        _write(report_table(reports))
    return _metrics(reports)


def _metrics(reports: Sequence[Report]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for report in reports:
        for name, value in final_figures(report).items():
            found.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in found.items()}


def _moves_left(config: EvaluateConfig) -> None:
    players = players_of(config)
    game = players[0].player.spec.name
    sets = _sets(config, game=game)
    if not sets or not config.evaluation.ablation_simulations:
        raise ConfigError("mode=mlh needs a game with labelled positions and evaluation.ablation_simulations above 0")
    labels = concatenate(sets, name="all")
    tables = {}
    for one in players:
        with closing(opened(one.player, config)) as engine:
            subject = Subject(name=one.name, game=game, judge=engine, search=one.search)
            tables[one.name] = moves_left_table(subject, labels, params=config.evaluation, progress=say)
    if config.output is Output.JSON:
        _write_json({"mlh": tables, "simulations": config.evaluation.ablation_simulations})
        return
    _write("\n\n".join(moves_left_rows(name, rows) for name, rows in tables.items()))


def _audit(config: EvaluateConfig) -> None:
    audits: dict[str, dict[str, Audit]] = {}
    curves: dict[str, dict[int, dict[str, float]]] = {}
    players = players_of(config)
    for one in players:
        found = audits[one.name] = {}
        if kept := _kept_audit(one.path):
            found["kept"] = kept
        if config.evaluation.audit_games:
            found["played"] = _played_audit(one, config)
        if run := run_of(one.path):
            curves[one.name] = read_metrics(run)
    flat = [(name, audit) for name, found in audits.items() for audit in found.values()]
    if not flat:
        raise ConfigError("mode=audit: none of these runs has kept an audit, and evaluation.audit_games is 0")
    if config.output is Output.JSON:
        _write_json({"audits": audits, "made": made_here()})
    elif config.output is Output.HTML:
        from c4.report.selfplay import audit_page  # late: the other outputs draw nothing

        pages = {name: list(found.values()) for name, found in audits.items()}
        made = {
            one.name: player_facts(one.path, card=one.player.card, search=_selfplay_search(one.path)) for one in players
        }
        facts = provenance(players=made)
        _write_page(audit_page(pages, game=players[0].player.spec.name, curves=curves, facts=facts), config)
    else:
        _write("\n\n".join(f"{audit['about']}\n\n{audit_rows(name, audit)}" for name, audit in flat))


def _selfplay_search(checkpoint: Path) -> Mapping[str, Any] | None:
    """With which a player's run played, as far as that is known."""
    try:
        return as_plain(settings_of(run_of(checkpoint)).search)
    except AuditError:
        return None


def _played_audit(one: Named, config: EvaluateConfig) -> Audit:
    games, run = config.evaluation.audit_games, run_of(one.path)
    settings = settings_of(run)
    with closing(opened(one.player, config)) as engine:
        say(f"{one.name}: {games} games against itself, searched with {search_words(as_plain(settings.search))}")
        audit = play_audit(
            game=one.player.spec,
            engine=engine,
            settings=settings,
            games=games,
            budgets=_budgets(config),
            seed=config.arena.seed,
        )
    whose = "of its run" if run else "that train.py has today, for its run is not known"
    return audit | {"about": f"{audit['games']} games, played now with the settings {whose}."}


def _kept_audit(checkpoint: Path) -> Audit | None:
    """The newest of what the run of a player has kept, so many generations that figures by ply say something."""
    run = run_of(checkpoint)
    kept = read_audits(run) if run is not None else {}
    chosen: list[int] = []
    for generation in sorted(kept, reverse=True):
        chosen.append(generation)
        if sum(kept[one]["games"] for one in chosen) >= KEPT_GAMES:
            break
    if not chosen:
        return None
    audit = together(kept[generation] for generation in chosen)
    about = f"{audit['games']} games of its run, audited in generations {chosen[-1]} to {chosen[0]}."
    return audit | {"about": about}


def _budgets(config: EvaluateConfig) -> Budgets:
    params = config.evaluation
    return Budgets(trees=params.trees, threads=params.threads, cache_megabytes=params.cache_megabytes)


def _arena(config: EvaluateConfig) -> None:
    kinds = Kinds()
    words = [*config.arena.players, *config.checkpoint]
    targets = [kinds.target(word, base=config.player) if isinstance(word, str) else word for word in words]
    if len(targets) < 2:
        raise ConfigError("an arena needs at least two players: arena.players=[a.safetensors@32,rollouts@1000]")
    with closing(Engines(partial(opened, config=config))) as engines:
        paths = dict.fromkeys(str(path) for one in targets if (path := one.arguments.get("checkpoint")) is not None)
        game = one_game({path: engines.read(path, game=config.game.name).game for path in paths}, config)
        searches = searches_of(paths, config, game=game)
        roster = Roster(
            game=game,
            seed=config.arena.seed,
            threads=config.evaluation.threads,
            cache_megabytes=config.evaluation.cache_megabytes,
            search=config.search,
            search_of=searches.__getitem__,
            judge_of=partial(engines.judge_of, game=game),
        )
        players = [_made(roster, target, word=word) for target, word in zip(targets, words, strict=True)]
        for number, player in enumerate(players):  # two words may shorten to one name
            if any(player.name == other.name for other in players[:number]):
                player.name = f"{player.name} #{number + 1}"
        kept = _Record(config.arena.record)
        elsewhere = None
        if config.arena.actors is not None:
            files = {path: load_player(player_file(path, game=game)) for path in paths}
            contract = contract_of(
                roster,
                targets,
                names=[player.name for player in players],
                searches=searches,
                networks={path: (file, chosen(file, config)) for path, file in files.items()},
            )
            elsewhere = away(contract, params=config.arena, on_look=_Patient())
        standings = tournament(
            players,
            game=game,
            params=config.arena,
            on_batch=say,
            on_ply=_Patient(),
            on_games=kept.add,
            elsewhere=elsewhere,
        )
    if config.output is Output.JSON:
        _write_json(standings.as_dict())
        return
    _write(standings_table(standings.as_dict()))


def _made(roster: Roster, target: Target, *, word: str | Target) -> Player:
    try:
        return roster.player(target)
    except ConfigError as error:
        raise PlayerWordError(f"{word}: {error}" if isinstance(word, str) else str(error)) from error


class _Record:
    """All games so far, in a file that is whole at any time: what was played is kept when the rest is not."""

    def __init__(self, path: str | None) -> None:
        self._path, self._texts = path, list[str]()

    def add(self, games: Sequence[PlayedGame]) -> None:
        self._texts += [record(game, number=number) for number, game in enumerate(games, start=len(self._texts) + 1)]
        if self._path is not None:
            write_beside(Path(self._path), "\n".join(self._texts).encode())


def _sets(config: EvaluateConfig, *, game: str) -> list[LabelledSet]:
    if config.positions is not None:
        path = Path(config.positions)
        if not path.is_dir():
            return [read_labelled(path, game=game)]
        if files := sorted(path.glob("*.jsonl")):
            return [read_labelled(file, game=game) for file in files]
        raise ConfigError(f"positions={path}: the folder holds no *.jsonl")
    return chosen_sets(config.evaluation.sets, game=game)


def _check_places(config: EvaluateConfig) -> None:
    """Before anything starts: what takes minutes is not to be lost for want of a folder. Raises ConfigError."""
    if config.output is Output.HTML:
        _check_place("file", config.file)
    if config.mode is Mode.TREE and config.output is Output.TABLE:
        check_picture(config.file)
        _check_place("file", config.file)
    if config.output is Output.CHAMPION and (Path(config.file).is_file() or Path(config.file).suffix):
        raise ConfigError(f"file={config.file}: the champion and its card go to a folder, such as file=src/c4/champion")
    if config.arena.record is not None:
        _check_place("arena.record", config.arena.record)
    if config.evaluation.failures is not None:
        read_book(Path(config.evaluation.failures))


def _check_place(knob: str, path: str) -> None:
    place = Path(path)
    if place.is_dir():
        raise ConfigError(f"{knob}={path}: this is a folder; the name of a file is needed")
    if not place.parent.is_dir():
        raise ConfigError(f"{knob}={path}: there is no folder {place.parent}")


def _write_page(text: str, config: EvaluateConfig) -> None:
    write_beside(Path(config.file), text.encode())
    say(f"the page is in {config.file}")


def _write_json(data: dict[str, Any] | Sequence[Any]) -> None:
    _write(json.dumps(data, allow_nan=False))


def _write(text: str) -> None:
    printed.out(text + "\n")


class _Patient:
    """Progress that comes often: said every few seconds only."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, text: str) -> None:
        if time.monotonic() - self._last >= SECONDS_OF_SILENCE:
            self._last = time.monotonic()
            say(text)
