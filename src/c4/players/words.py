"""From a word to what it describes: `best.ckpt@32`, `rollouts@1000`, `solver:last12`, `random`, `my_module:MyPlayer`.

A kind of player is a file of the group `player`, in conf/ or in a folder of one's own: its name, what makes it, its
knobs. Knows no kind by name but the network, which every other word means: the path of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from hydra import compose
from hydra.core.config_loader import ConfigLoader
from hydra.core.global_hydra import GlobalHydra
from omegaconf import OmegaConf

from c4.params.target import Target, names_in, trust
from c4.players.player import PlayerWordError
from c4.sources import SHIPPED, opened

GROUP = "player"
NETWORK = "network"
CLASS = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*)")  # my.module:MyPlayer
UNSAID = "???"  # what only a person can say


class Kinds:
    """All that is known to this program, and to the folders that the command line names."""

    targets: dict[str, Target]  # by the names of their files

    def __init__(self) -> None:
        self.targets = {}
        with _sources() as loader:
            for name in loader.get_group_options(GROUP):
                composed = OmegaConf.to_container(compose(overrides=[f"+{GROUP}={name}"]), resolve=True)
                assert isinstance(composed, dict)
                trust(names_in(composed))
                self.targets[name] = Target.from_plain(composed[GROUP])

    def target(self, word: str, *, base: Target) -> Target:
        """What a word says; what it leaves out is as in `base`, if that is of its kind, else as in its kind's file.

        Raises PlayerWordError.
        """
        head = re.split("[@:]", word, maxsplit=1)[0]
        kind = next((one for one in (head, head.removesuffix("s")) if one in self.targets), None)  # rollouts@1000
        if kind is None and (own := CLASS.fullmatch(word)):
            trust([path := ".".join(own.groups())])
            return Target(path)
        rest = word if kind is None else word[len(head) :]
        found = self.targets[kind or NETWORK]
        if base.path == found.path:
            found = base
        if not rest:
            return found
        said = getattr(found.located(), "said", None)
        if said is None:
            raise PlayerWordError(f"{word}: nothing can follow the name {head}")
        try:
            return Target(found.path, {**found.arguments, **said(rest)})
        except ValueError as error:
            raise PlayerWordError(f"{word}: {error}") from error

    def name(self, target: Target) -> str:
        """How its file is called; of a class without one, its own name."""
        alike = {name: one.arguments for name, one in self.targets.items() if one.path == target.path}
        if not alike:
            return target.path.rpartition(".")[2]
        return max(alike, key=lambda name: sum(target.arguments[key] == one for key, one in alike[name].items()))

    def offered(self, chosen: Target) -> Mapping[str, Target]:
        """By name, all that can play as they are: `chosen`, and kinds whose files leave nothing for a person to say."""
        whole = {name: one for name, one in self.targets.items() if UNSAID not in one.arguments.values()}
        return whole | {self.name(chosen): chosen}


@contextmanager
def _sources() -> Iterator[ConfigLoader]:
    running = GlobalHydra.instance()
    if running.is_initialized():
        yield running.config_loader()
        return
    with opened(conf=SHIPPED, name="play"):
        yield running.config_loader()
