"""A class that is typed over the shipped tower brings its own arguments, and none of the tower's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from torch import nn

from c4.command_line import check
from c4.network.network import of_its_own
from c4.params.network import NetworkDesign, NetworkParams
from c4.params.target import ASKED, Target
from c4.params.train import TrainConfig
from c4.params.walk import build
from c4.sources import opened

CONF = Path(__file__).parents[2] / "conf"


class Wide(nn.Module):
    """Says that it takes a width."""

    def __init__(self, spec: Any, width: int, hidden: int = 1) -> None:
        super().__init__()


class Open(nn.Module):
    """Takes whatever comes."""

    def __init__(self, spec: Any, **more: Any) -> None:
        super().__init__()


def typed(*words: str) -> NetworkDesign:
    with opened(conf=CONF, name="train") as sources:
        line = check(words, sources=sources, schema=TrainConfig, multirun=False)
        return of_its_own(build(TrainConfig, sources.compose(line.words)).network)


@pytest.fixture(autouse=True)
def _nobody_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ASKED, "")


@pytest.mark.parametrize(("cls", "arguments"), [(Wide, {"width": 24, "hidden": 3}), (Open, {"hidden": 3})])
def test_a_class_gets_what_it_names(cls: type, arguments: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("c4.params.target.located", lambda path: cls)
    path = "of_mine.Net"
    assert typed("network.width=24", f"network._target_={path}", "network.hidden=3") == Target(path, arguments)


@pytest.mark.parametrize("words", [["network={_target_:of_mine.Net}"], ["network._target_=of_mine.Net"]])
def test_what_ships_leaves_no_value_behind(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("c4.params.target.located", lambda path: Wide)
    assert typed(*words) == Target("of_mine.Net")
    assert typed(*words, "network.hidden=3") == Target("of_mine.Net", {"hidden": 3})
    assert typed(*words, "experiment=tiny") == Target("of_mine.Net", {"width": 24})  # which says so for any network
    assert typed(*words, "network=small") == Target("of_mine.Net", {"width": 32}) if "{" not in words[0] else True


def test_the_tower_keeps_all_of_its_knobs() -> None:
    assert isinstance(typed("network.width=8"), NetworkParams)
