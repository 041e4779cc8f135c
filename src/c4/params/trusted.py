"""Which names that files say may be imported (params/target.py): typed by a person, for one command."""

from __future__ import annotations

import dataclasses

from c4.params.knob import Params, knob


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrustingConfig(Params):
    trusted: tuple[str, ...] = knob(
        "Classes and functions outside of this program that a player's file or a run's folder may name, such as "
        "my_module.MyNetwork: they are imported, and run. What you name yourself as a _target_ needs no other word."
    )
