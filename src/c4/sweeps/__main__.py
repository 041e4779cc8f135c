"""`python -m c4.sweeps report DIR` and `python -m c4.sweeps wandb hparams_search=NAME`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from hydra.errors import HydraException
from omegaconf.errors import OmegaConfBaseException

from c4 import printed
from c4.files import write_beside
from c4.invocation import as_typed_here
from c4.params.errors import ConfigError
from c4.report.provenance import Facts, player_facts, provenance
from c4.run.folder import RunFolder
from c4.sweeps.gather import Sweep, gather
from c4.sweeps.kept import keep_sweep, read_sweep
from c4.sweeps.knob_charts import search_plot
from c4.sweeps.page import sweep_page
from c4.sweeps.table import sweep_table
from c4.sweeps.wandb_yaml import sweep_yaml

USAGE = """\
python -m c4.sweeps report DIR [file=PAGE.html] [metric=NAME] [plot=FILE.svg]
    What came out of a sweep, finished or not: a table here, and a page, DIR/report.html unless `file` says otherwise.
    With `plot`, also one picture for a document: the two knobs that mattered most, and how much each mattered; and
    FILE.json beside it, which can be given in place of DIR when that is gone.
python -m c4.sweeps wandb hparams_search=NAME [OVERRIDE ...] [file=sweep.yaml]
    The same search for W&B's agents: wandb sweep sweep.yaml
"""

OPTIONS = ("file=", "metric=", "plot=")


def main(words: Sequence[str]) -> int:
    """Returns the exit code."""
    options = dict(word.split("=", 1) for word in words if word.startswith(OPTIONS))
    command, *rest = [word for word in words if not word.startswith(OPTIONS)] or ["help"]
    try:
        if command == "report" and len(rest) == 1:
            _report(Path(rest[0]), options)
        elif command == "wandb" and rest:
            _wandb(rest, options)
        else:
            printed.err(as_typed_here(USAGE))
            return 0 if command in {"help", "--help", "-h"} else 2
    except (ConfigError, HydraException, OmegaConfBaseException) as error:
        printed.err(f"error: {' '.join(str(error).split())}\n")
        return 2
    except OSError as error:
        printed.err(f"error: {error.strerror}: {error.filename}\n")
        return 1
    return 0


def _report(folder: Path, options: dict[str, str]) -> None:
    kept = read_sweep(folder) if folder.is_file() else None
    sweep = gather(folder, metric=options.get("metric")) if kept is None else kept
    target = Path(options.get("file", folder.with_suffix(".html") if kept else folder / "report.html"))
    facts = provenance(players=_best_player(folder, sweep), more=sweep.made)
    write_beside(target, sweep_page(sweep, facts=facts).encode())
    said = f"{sweep_table(sweep)}\n\nthe page: {target}\n"
    if plot := options.get("plot"):
        write_beside(Path(plot), search_plot(sweep).file().encode())
        keep_sweep(Path(plot).with_suffix(".json"), sweep)
        said += f"the picture: {plot}, and beside it what it shows\n"
    printed.out(said)


def _best_player(folder: Path, sweep: Sweep) -> dict[str, Facts]:
    """None of a sweep whose folder is gone, or whose jobs were no runs."""
    player = RunFolder(path=folder / str(sweep.ranked()[0].number)).player("best") if sweep.whole() else None
    if player is None or not player.is_file():
        return {}
    return {"best": {f"best {name}": fact for name, fact in player_facts(player, card={}, search=None).items()}}


def _wandb(overrides: Sequence[str], options: dict[str, str]) -> None:
    target = Path(options.get("file", "sweep.yaml"))
    write_beside(target, sweep_yaml(overrides).encode())
    printed.out(f"written: {target}; with a key: wandb sweep {target}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
