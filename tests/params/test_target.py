"""What is named by `_target_`: data until it is made, made only when a person has asked for it, or refused."""

from __future__ import annotations

import collections
import dataclasses
import functools
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest
from omegaconf import DictConfig, ListConfig, OmegaConf

from c4.params.errors import ConfigError
from c4.params.knob import Params, knob
from c4.params.plain import as_plain, from_plain
from c4.params.target import ASKED, Target, names_in, trust, trusting
from c4.params.walk import build, keys

MINE = """
from pathlib import Path

Path(__file__).with_suffix(".mark").touch()


class Thing:
    def __init__(self, *, given=None, size, inner=None, names=()):
        self.given, self.size, self.inner, self.names = given, size, inner, names


class Outer:
    class Within:
        pass


def either(*first, **named):
    return first, named


NUMBER = 3
"""


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module `of_mine` in the folder that the command is typed in; it leaves a mark when it is imported."""
    (tmp_path / "of_mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "of_mine", raising=False)
    monkeypatch.setenv(ASKED, "")
    return tmp_path / "of_mine.mark"


def asked(name: str, **arguments: Any) -> Target:
    target = Target(name, arguments)
    trust(names_in(target.as_plain()))
    return target


def test_it_is_a_value() -> None:
    target = Target("of_mine.Thing", {"size": (1, 2), "inner": {"_target_": "a.B"}})
    assert target == Target.from_plain(target.as_plain()) == Target.from_plain(target.as_plain() | {"size": [1, 2]})
    assert target != Target("of_mine.Thing", {"size": [1, 3]})
    assert len({target, Target.from_plain(target.as_plain())}) == 1
    assert target.as_plain() == {"_target_": "of_mine.Thing", "size": [1, 2], "inner": {"_target_": "a.B"}}
    target.as_plain()["size"].append(3)
    assert target.arguments["size"] == [1, 2]


@pytest.mark.parametrize("path", ["Thing", "", "of_mine.", "of mine.Thing", "of_mine:Thing", "os.system('x')"])
def test_a_path_is_a_module_and_a_name(path: str) -> None:
    with pytest.raises(ConfigError, match="is not allowed: a module and a name in it, such as"):
        Target(path)


def test_arguments_are_plain() -> None:
    with pytest.raises(ConfigError, match="numbers, texts, lists and mappings, not object"):
        Target("of_mine.Thing", {"size": [object()]})


def test_it_is_made_with_what_is_given() -> None:
    made = asked("of_mine.Thing", size=3, names=["a"]).make(given={1: object})
    assert (made.given, made.size, made.names, type(made.names)) == ({1: object}, 3, ["a"], list)


def test_nothing_is_imported_before_it_is_made(mine: Path) -> None:
    target = asked("of_mine.Thing", size=3)
    assert not mine.exists()
    target.make()
    assert mine.exists()


def test_a_class_within_a_class_and_a_module_within_a_package_are_found() -> None:
    assert asked("of_mine.Outer.Within").make() is not None
    assert asked("xml.dom.minidom.Document").make().documentElement is None


def test_conventions_are_hydras() -> None:
    made = asked("of_mine.Thing", size={"_target_": "of_mine.Thing", "size": 1}, names=[{"_target_": "of_mine.Outer"}])
    thing = made.make()
    assert thing.size.size == 1
    assert type(thing.names[0]).__name__ == "Outer"
    later = asked("of_mine.Thing", size=3, _partial_=True).make()
    assert isinstance(later, functools.partial)
    assert later(inner=4).inner == 4
    assert asked("of_mine.either", _args_=[1, {"_target_": "of_mine.either"}], x=2).make() == ((1, ((), {})), {"x": 2})
    left = asked("of_mine.either", _recursive_=False, x={"_target_": "of_mine.either"}).make()
    assert left == ((), {"x": {"_target_": "of_mine.either"}})
    _, named = asked("of_mine.either", _convert_="none", x={"a": [1]}).make()
    assert isinstance(named["x"], DictConfig)
    assert isinstance(named["x"].a, ListConfig)


@pytest.mark.parametrize(
    ("path", "arguments", "sentence"),
    [
        ("no_such_thing.A", {}, "_target_=no_such_thing.A: there is no module no_such_thing, here or on PYTHONPATH"),
        ("of_mine.Thingg", {"size": 1}, "_target_=of_mine.Thingg: there is no Thingg in of_mine; did you mean Thing?"),
        ("of_mine.Outer.Wthin", {}, "there is no Wthin in of_mine.Outer; did you mean Within?"),
        ("of_mine.NUMBER", {}, "_target_=of_mine.NUMBER is not allowed: it is neither a class nor a function, but int"),
        (
            "of_mine.Thing",
            {"sizee": 1},
            "_target_=of_mine.Thing: it has no argument sizee (it takes given, size, inner, names); did you mean size?",
        ),
        ("of_mine.Thing", {}, "_target_=of_mine.Thing: missing a required argument: 'size'; it takes given, size"),
        ("of_mine.Outer", {"size": 1}, "_target_=of_mine.Outer: it has no argument size (it takes none)"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_sentence(path: str, arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        asked(path, **arguments).make()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_function_is_named_as_it_is_and_a_class_is_made() -> None:
    bound = asked("of_mine.either", x=2).function()
    assert bound(1) == ((1,), {"x": 2})
    assert asked("of_mine.Thing", size=3).function().size == 3
    assert asked("of_mine.Thing", size=3, _partial_=True).function()(inner=1).inner == 1
    assert asked("of_mine.either", _partial_=False).function() == ((), {})
    with pytest.raises(ConfigError, match=r"trusted=\[of_mine\.Outer\]"):
        Target("of_mine.Outer").function()
    with pytest.raises(ConfigError, match="it has no argument size"):
        asked("of_mine.Outer", size=3).function()


def test_what_does_not_take_what_it_is_given_is_told_so() -> None:
    with pytest.raises(ConfigError, match=r"of_mine\.Outer must take spec, which it is given here; it takes none"):
        asked("of_mine.Outer").make(spec=1)


def test_a_module_that_cannot_be_imported_says_why(tmp_path: Path) -> None:
    (tmp_path / "of_others.py").write_text("import no_such_thing")
    with pytest.raises(ConfigError, match="of_others cannot be imported: No module named 'no_such_thing'"):
        asked("of_others.A").make()


def test_what_a_file_names_is_not_imported(mine: Path) -> None:
    target = Target.from_plain({"_target_": "of_mine.Thing", "size": 1})
    with pytest.raises(ConfigError, match=r"of_mine\.Thing: a file names .* adds trusted=\[of_mine\.Thing\]"):
        target.make()
    assert not mine.exists()
    trust(["of_mine.Thing"])
    assert target.make().size == 1


def test_the_word_that_trusts_a_configuration_is_said_where_one_is_needed() -> None:
    plain = {"a": {"_target_": "c4.x.Y"}, "b": [{"_target_": "of.Mine", "c": {"_target_": "an.Other"}}]}
    assert trusting(plain) == "'trusted=[an.Other,of.Mine]'"
    assert trusting({"a": plain["a"]}) == ""


def test_what_can_be_given_to_it_is_known_by_name() -> None:
    assert asked("of_mine.Thing").takes() == ["given", "size", "inner", "names"]
    assert asked("of_mine.Outer").takes() == []


def test_trust_in_one_name_is_none_in_those_below_it(mine: Path) -> None:
    trust(["collections.OrderedDict"])
    inside = [{"_target_": "of_mine.Thing", "size": 1}]
    with pytest.raises(ConfigError, match=r"adds trusted=\[of_mine\.Thing\]"):
        Target("collections.OrderedDict", {"a": {"b": inside}}).make()
    assert not mine.exists()
    assert Target("collections.OrderedDict", {"a": 1}).make() == collections.OrderedDict(a=1)


def test_a_part_of_the_program_is_no_more_trusted_than_a_stranger() -> None:
    with pytest.raises(ConfigError, match=r"trusted=\[c4\.params\.plain\.as_plain\]"):
        Target("c4.params.plain.as_plain").make()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Inner(Params):
    group: ClassVar[str] = "inner"

    width: int = knob("A width.", low=1)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Whole(Params):
    one: Target = knob("One.")
    perhaps: Target | None = knob("One or none.")
    several: tuple[Target, ...] = knob("Several.")
    named: Mapping[str, Target] = knob("Several by name.")
    either: Inner | Target = knob("A group or one.")


THING = {"_target_": "of_mine.Thing", "anything": {"is": "free"}}


def whole(**changes: Any) -> Whole:
    plain = {"one": THING, "perhaps": None, "several": [], "named": {}, "either": {"width": 3}} | changes
    return build(Whole, OmegaConf.create(plain))


def test_a_field_takes_it() -> None:
    thing = Target.from_plain(THING)
    made = whole(perhaps=THING, several=[THING, THING], named={"a": THING}, either=THING)
    assert made == Whole(one=thing, perhaps=thing, several=(thing, thing), named={"a": thing}, either=thing)
    assert whole().either == Inner(width=3)
    assert whole(several=THING).several == (thing,)
    for config in (made, whole()):
        assert from_plain(Whole, as_plain(config)) == config
    assert list(keys(Whole)) == ["one", "perhaps", "several", "named", "either", "either.width"]


def test_what_stands_in_a_file_is_not_resolved() -> None:
    plain = as_plain(whole()) | {"one": THING | {"secret": "${oc.env:HOME}"}}
    assert from_plain(Whole, plain).one.arguments["secret"] == "${oc.env:HOME}"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"one": 3}, "one=3 is not allowed: a mapping with _target_: module.Name and its arguments"),
        ({"one": None}, "one=null is not allowed: a mapping with _target_"),
        ({"perhaps": "of_mine.Thing"}, "a mapping with _target_: module.Name and its arguments, or null"),
        ({"several": ["x"]}, "several=x is not allowed: a list, each a mapping with _target_"),
        ({"named": {"a": 3}}, "named.a=3 is not allowed: a mapping by name, each a mapping with _target_"),
        ({"named": THING}, "named._target_=of_mine.Thing is not allowed: a mapping by name, each"),
        ({"either": 3}, "either=3 is not allowed: it is a group of keys, such as either.width"),
        ({"either": {"widht": 3}}, "either.widht: there is no such key; did you mean either.width?"),
        ({"one": {"_target_": "Thing"}}, "_target_=Thing is not allowed: a module and a name in it"),
    ],
)
def test_what_is_wrong_with_a_field_is_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        whole(**changes)
    assert sentence in str(caught.value)
