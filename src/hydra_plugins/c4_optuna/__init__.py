"""What Hydra finds as hydra/sweeper=optuna: it takes plugins from this namespace only. The sweep itself: c4/sweeps.

Imported at every start of every program, so it imports nothing but Hydra.
"""

from __future__ import annotations

from typing import Any

from hydra.core.plugins import Plugins
from hydra.errors import HydraException
from hydra.plugins.sweeper import Sweeper
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig

from c4.invocation import install


class OptunaSweeper(Sweeper):
    """Takes whatever stands at hydra.sweeper; c4/params/sweeper.py says what may."""

    def __init__(self, **settings: Any) -> None:
        self._settings = settings

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        self._config = config
        self._launcher = Plugins.instance().instantiate_launcher(
            hydra_context=hydra_context, task_function=task_function, config=config
        )

    def sweep(self, arguments: list[str]) -> None:
        try:
            from c4.sweeps.sweeper import sweep
        except ModuleNotFoundError as error:
            if error.name != "optuna":
                raise
            raise HydraException(f"a search needs Optuna: {install('sweeps')}") from error
        sweep(arguments, settings=self._settings, config=self._config, launcher=self._launcher)
