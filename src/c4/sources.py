"""Where a command's configuration comes from: every source that Hydra knows, asked once for each command line.

Those are conf/, the folder of --config-dir, and hydra.searchpath. Knows nothing of what stands in a configuration.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from hydra import version
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.hydra import Hydra
from hydra._internal.utils import create_config_search_path, get_args_parser
from hydra.core.config_search_path import SearchPathQuery
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import DictConfig
from typing_extensions import override

from c4.params.errors import ConfigError

VERSION_BASE = "1.3"
SHIPPED = Path(str(resources.files("c4"))) / "conf"
"""The configuration that comes with the program."""


class Sources:
    """Hydra as its own entry sets it up, for the configuration `name`."""

    def __init__(self, loader: _Loader, *, hydra: Hydra, conf: Path, name: str) -> None:
        self._loader, self._hydra = loader, hydra
        self.conf, self.name = conf, name

    def compose(self, words: Sequence[str]) -> DictConfig:
        """What a run with these overrides has, Hydra's own node included. Nobody may change it."""
        composed = self._loader.composed(self.name, words)
        HydraConfig.instance().cfg = composed  # type: ignore[assignment]  # for what refers to it by ${hydra:...}
        return composed

    def groups(self, words: Sequence[str]) -> list[str]:
        """From which of them something is chosen, without Hydra's own. `words` may say where else to look."""
        choices: Mapping[str, Any] = self.compose(_searching(words)).hydra.runtime.choices
        return sorted(group for group in choices if group.partition("/")[0] != "hydra")

    def placed(self, words: Sequence[str]) -> dict[str, str]:
        """By key, the group that is chosen from for it where that has another name: opponent is one of player."""
        return {group.partition("@")[2]: group for group in self.groups(words) if "@" in group}

    def options(self, group: str, words: Sequence[str]) -> list[str]:
        return self._loader.get_group_options(
            group.partition("@")[0], config_name=self.name, overrides=_searching(words)
        )

    def show(self, arguments: Namespace, words: Sequence[str]) -> None:
        """What Hydra has to say of itself, of this configuration, or to a shell that completes a line."""
        hydra, name = self._hydra, self.name
        if arguments.hydra_help:
            hydra.hydra_help(config_name=name, args_parser=get_args_parser(), args=arguments)
        elif arguments.shell_completion:
            hydra.shell_completion(config_name=name, overrides=arguments.overrides)
        elif arguments.info:
            hydra.show_info(arguments.info, config_name=name, overrides=list(words))
        else:
            hydra.show_cfg(name, list(words), arguments.cfg, arguments.package, arguments.resolve)

    def run(self, task: Callable[[Any], Any], words: Sequence[str], *, multirun: bool) -> None:
        if multirun:  # said in words too: each job is composed from them
            words = [*words, "hydra.mode=MULTIRUN"]
        work = self._hydra.multirun if multirun else self._hydra.run
        work(config_name=self.name, task_function=task, overrides=list(words))


@contextmanager
def opened(*, conf: Path, name: str, config_dir: str | None = None) -> Iterator[Sources]:
    """Raises ConfigError when there is no such folder."""
    path = create_config_search_path(str(conf.resolve()))
    if config_dir is not None:
        if not Path(config_dir).is_dir():
            raise ConfigError(f"--config-dir {config_dir}: there is no such folder")
        path.prepend("command-line", f"file://{Path(config_dir).resolve()}", SearchPathQuery(provider="schema"))
    version.setbase(VERSION_BASE)
    loader = _Loader(path)
    hydra, running = Hydra(task_name=name, config_loader=loader), GlobalHydra.instance()
    before, running.hydra = running.hydra, hydra  # who calls may be a program of Hydra's itself
    config, HydraConfig.instance().cfg = HydraConfig.instance().cfg, None
    try:
        yield Sources(loader, hydra=hydra, conf=conf, name=name)
    finally:
        running.hydra, HydraConfig.instance().cfg = before, config


class _Loader(ConfigLoaderImpl):
    """Gives a run what was composed for the checks: composing again would take as long as all else before it."""

    def __init__(self, path: Any) -> None:
        super().__init__(path)
        self._composed: dict[tuple[str | None, ...], DictConfig] = {}

    def composed(self, name: str, words: Sequence[str]) -> DictConfig:
        key = (name, *words)
        if key not in self._composed:
            try:
                composed = super().load_configuration(name, list(words), RunMode.RUN, from_shell=False)
            except ValueError as error:  # of a group that is given no name, among others
                raise ConfigError(str(error)) from error
            composed.hydra.runtime.output_dir = str(Path(composed.hydra.run.dir).resolve())  # as it will be
            self._composed[key] = composed
        return self._composed[key]

    @override
    def load_configuration(
        self,
        config_name: str | None,
        overrides: list[str],
        run_mode: RunMode,
        from_shell: bool = True,
        validate_sweep_overrides: bool = True,
    ) -> DictConfig:
        kept = self._composed.pop((config_name, *overrides), None) if run_mode is RunMode.RUN else None
        if kept is not None:
            return kept
        return super().load_configuration(config_name, overrides, run_mode, from_shell, validate_sweep_overrides)


def _searching(words: Sequence[str]) -> list[str]:
    return [word for word in words if word.startswith("hydra.searchpath=")]
