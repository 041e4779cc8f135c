"""A search space in the grammar that Hydra has for sweeps. Knows neither Optuna nor W&B.

search.cpuct=interval(1,4)  tag(log,interval(1e-4,1e-2))  int(interval(1,8))  range(0,33,8)  choice(a,b)  1,2,4
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, IntervalSweep, Override, QuotedString, RangeSweep

from c4.params.errors import ConfigError
from c4.params.walk import as_typed

LOG = "log"

Value = float | int | str | bool | None


class Kind(Enum):
    FLOAT = "float"
    INT = "int"
    CHOICE = "choice"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Dimension:
    """What one key may be: a number from low to high (both allowed), or one of the choices."""

    key: str
    kind: Kind
    low: float = 0.0
    high: float = 0.0
    step: float | None = None
    log: bool = False
    choices: tuple[Value, ...] = ()

    def holds(self, value: Any) -> bool:
        if self.kind is Kind.CHOICE:
            return value in self.choices
        whole = self.kind is Kind.FLOAT or isinstance(value, int)
        return isinstance(value, int | float) and whole and self.low <= value <= self.high


def parse_space(params: Mapping[str, Any], arguments: Iterable[str]) -> tuple[list[Dimension], list[str]]:
    """The dimensions, and the overrides that every job shares. An argument replaces the dimension of its key."""
    parser = OverridesParser.create()
    written = {key: parser.parse_override(f"{key}={_written(value)}") for key, value in params.items()}
    fixed = []
    for override in parser.parse_overrides(list(arguments)):
        key = override.get_key_element().lstrip("+")
        if override.is_sweep_override():
            written[key] = override
        else:
            written.pop(key, None)
            fixed.append(override.input_line or "")
    return [_dimension(key, override) for key, override in written.items()], fixed


def assignment(key: str, value: Value) -> str:
    """An override that gives the key its value."""
    return f"{key}={as_typed(value)}"


def _written(value: Any) -> str:
    """A list in a YAML stands for its choices."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(as_typed, value))
    return as_typed(value)


def _dimension(key: str, override: Override) -> Dimension:
    value = override.value()
    if isinstance(value, IntervalSweep):
        return _interval(key, value)
    if isinstance(value, RangeSweep) and not value.shuffle:
        return _range(key, value)
    if isinstance(value, ChoiceSweep | RangeSweep):
        return Dimension(key=key, kind=Kind.CHOICE, choices=tuple(_plain(item) for item in override.sweep_iterator()))
    raise ConfigError(
        f"{key}={value} is no search space: interval(1,4), int(interval(1,8)), range(0,33,8), choice(a,b)"
    )


def _interval(key: str, sweep: IntervalSweep) -> Dimension:
    low, high = sweep.start, sweep.end
    if low is None or high is None or not low < high:
        raise ConfigError(f"{key}: interval({low},{high}) is empty")
    log = LOG in sweep.tags
    if log and low <= 0:
        raise ConfigError(f"{key}: a logarithmic interval begins above 0, not at {low}")
    whole = isinstance(low, int) and isinstance(high, int)
    return Dimension(key=key, kind=Kind.INT if whole else Kind.FLOAT, low=low, high=high, log=log)


def _range(key: str, sweep: RangeSweep) -> Dimension:
    """As everywhere in Hydra, without its end."""
    values = list(sweep.range())
    if not values:
        raise ConfigError(f"{key}: range({sweep.start},{sweep.stop},{sweep.step}) is empty")
    whole = all(isinstance(value, int) for value in values)
    low, high = min(values), max(values)
    return Dimension(key=key, kind=Kind.INT if whole else Kind.FLOAT, low=low, high=high, step=abs(sweep.step))


def _plain(value: Any) -> Value:
    if isinstance(value, QuotedString):
        return value.text
    return value if isinstance(value, float | int | str | bool) or value is None else str(value)
