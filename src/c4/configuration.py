"""Configurations for other programs: composed from conf/ and checked as those that are typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from c4.command_line import REFUSED, check
from c4.params.errors import ConfigError
from c4.params.train import TrainConfig
from c4.params.walk import build
from c4.sources import SHIPPED, opened

T = TypeVar("T")


def load_config(*words: str) -> TrainConfig:
    """What `python train.py WORDS` would train with: load_config("experiment=tiny", "seed=2"). Raises ConfigError."""
    return composed("train", schema=TrainConfig, words=words)


def composed(name: str, *, schema: type[T], words: Sequence[str]) -> T:
    """Of the program `name`. Raises ConfigError."""
    try:
        with opened(conf=SHIPPED, name=name) as sources:
            typed = check(words, sources=sources, schema=schema, multirun=False)
            return build(schema, sources.compose(typed.words))
    except REFUSED as error:
        raise ConfigError(" ".join(str(error).split())) from error
