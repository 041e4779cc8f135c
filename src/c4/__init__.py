"""c4: an AlphaZero for Connect Four and Gomoku that is measured against perfect play.

from c4 import load_agent

agent = load_agent("champion")
column = agent.act("4453")

A run in a script of your own, under any Trainer of Lightning's:

import c4, pytorch_lightning as pl

config = c4.load_config("experiment=tiny")
pl.Trainer(max_epochs=8).fit(c4.C4Module.of(config), datamodule=c4.C4DataModule.of(config))
"""

from __future__ import annotations

import importlib
import typing

if typing.TYPE_CHECKING:
    from c4.agent import Agent, load_agent
    from c4.configuration import load_config
    from c4.datamodule import C4DataModule
    from c4.lightning_module import C4Module

__all__ = ["Agent", "C4DataModule", "C4Module", "load_agent", "load_config"]

HOMES = {"C4DataModule": "datamodule", "C4Module": "lightning_module", "load_config": "configuration"}


def __getattr__(name: str) -> typing.Any:
    if name not in __all__:
        raise AttributeError(f"module 'c4' has no attribute '{name}'")
    # late: torch takes seconds, and most of c4 is imported without it
    return getattr(importlib.import_module(f"c4.{HOMES.get(name, 'agent')}"), name)
