"""The walk from YAML to typed classes: what is wrong is said in one sentence, and what is right keeps its type."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, ClassVar

import pytest
from omegaconf import OmegaConf

from c4.params.errors import ConfigError
from c4.params.knob import Params, knob, own
from c4.params.plain import as_plain, from_plain
from c4.params.target import Target
from c4.params.walk import build, is_free, keys


class Mode(Enum):
    ON = "online"
    OFF = "offline"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Inner(Params):
    group: ClassVar[str] = "inner"

    cpuct: float = knob("A number.", low=0.0, high=10.0)
    count: int = knob("A count.", low=1)
    flag: bool = knob("A flag.")
    mode: Mode = knob("A mode.")
    tags: tuple[str, ...] = knob("Words.")
    limit: float | None = knob("A limit.", low=0.5)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Outer:
    name: str = knob("A name.")
    inner: Inner


def config(**changes: Any) -> Any:
    inner = {"cpuct": 1, "count": 2, "flag": True, "mode": "online", "tags": ["a", "b"], "limit": None} | changes
    return OmegaConf.create({"name": "x", "inner": inner})


def test_values_get_their_types() -> None:
    outer = build(Outer, config())
    assert outer == Outer(
        name="x", inner=Inner(cpuct=1.0, count=2, flag=True, mode=Mode.ON, tags=("a", "b"), limit=None)
    )
    assert isinstance(outer.inner.cpuct, float)
    assert build(Outer, config(tags="a")).inner.tags == ("a",)  # one stands for a list of one


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"cpuct": "abc"}, "inner.cpuct=abc is not allowed: a number from 0 to 10"),
        ({"cpuct": True}, "inner.cpuct=true is not allowed: a number from 0 to 10"),
        ({"cpuct": 11}, "inner.cpuct=11.0 is not allowed: a number from 0 to 10"),
        ({"cpuct": None}, "inner.cpuct=null is not allowed: a number from 0 to 10"),
        ({"count": 2.5}, "inner.count=2.5 is not allowed: a whole number of at least 1"),
        ({"count": True}, "inner.count=true is not allowed: a whole number of at least 1"),
        ({"flag": 1}, "inner.flag=1 is not allowed: true or false"),
        ({"flag": "yes"}, "inner.flag=yes is not allowed: true or false"),
        ({"mode": "onlin"}, "inner.mode=onlin is not allowed: one of: online, offline"),
        ({"tags": {"a": 1}}, "inner.tags={'a': 1} is not allowed: a list, each a text"),
        ({"limit": 0.1}, "inner.limit=0.1 is not allowed: a number of at least 0.5, or null"),
        ({"cput": 3}, "inner.cput: there is no such key; did you mean inner.cpuct?"),
        ({"zzzz": 3}, "inner.zzzz: there is no such key"),
        ({"limit": "${nowhere}"}, "inner.limit: Interpolation key 'nowhere' not found"),
        ({"limit": "???"}, "inner.limit: Missing mandatory value: limit"),
    ],
)
def test_what_is_wrong_is_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(Outer, config(**changes))
    assert str(caught.value) == sentence


def test_a_missing_key_and_a_value_for_a_group_are_named() -> None:
    composed = config()
    del composed.inner["cpuct"]
    with pytest.raises(ConfigError, match=r"inner\.cpuct has no value; allowed: a number from 0 to 10"):
        build(Outer, composed)
    with pytest.raises(ConfigError, match=r"inner=3 is not allowed: it is a group of keys, such as inner\.cpuct"):
        build(Outer, OmegaConf.create({"name": "x", "inner": 3}))


def test_hydras_own_node_is_skipped_and_nothing_else() -> None:
    composed = config()
    composed.hydra = {"job": {"num": "???"}}
    assert build(Outer, composed).name == "x"
    composed.other = {"a": 1}
    with pytest.raises(ConfigError, match="other: there is no such key"):
        build(Outer, composed)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Open(Params):
    """Takes what a person names himself beside its knobs."""

    group: ClassVar[str] = "open"

    width: int = knob("A width.", low=1)
    others: Mapping[str, Target | None] = own("Of one's own.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Wide(Params):
    open: Open
    free: Mapping[str, Any] = own("Anything.")


def wide(**changes: Any) -> Wide:
    return build(Wide, OmegaConf.create({"open": {"width": 3}} | changes))


def test_what_a_person_names_himself_stands_beside_the_knobs() -> None:
    mine = {"_target_": "a.B", "x": 1}
    made = wide(open={"width": 3, "mine": mine, "off": None, "others": mine}, anything=[1], more=mine)
    target = Target("a.B", {"x": 1})
    assert made.open.others == {"mine": target, "off": None, "others": target}
    assert made.free == {"anything": [1], "more": target}
    assert as_plain(made) == {
        "open": {"width": 3, "mine": mine, "off": None, "others": mine}, "anything": [1], "more": mine,
    }  # fmt: skip
    assert from_plain(Wide, as_plain(made)) == made
    assert list(keys(Wide)) == ["open", "open.width"]


def test_what_is_not_his_own_is_still_a_mistake() -> None:
    sentence = "open.widht: there is no such key, and no _target_ of your own in it; did you mean open.width?"
    for value in (3, {"x": 1}):
        with pytest.raises(ConfigError, match=re.escape(sentence)):
            wide(open={"width": 3, "widht": value})


@pytest.mark.parametrize(
    ("key", "free"),
    [
        ("open.mine", True), ("open.mine.x.y", True), ("anything", True), ("any.thing", True),
        ("open", False), ("open.width", False), ("open.width.x", False),
    ],
)  # fmt: skip
def test_only_his_own_keys_are_free(key: str, free: bool) -> None:
    assert is_free(Wide, key) is free
    assert not is_free(Inner, key)


def test_keys_come_groups_before_what_is_in_them() -> None:
    assert list(keys(Outer))[:3] == ["name", "inner", "inner.cpuct"]
