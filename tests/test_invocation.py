"""What commands are called depends on how the program was started, and so do the hints that it prints."""

from __future__ import annotations

import json
import pkgutil
import re
import sys
from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace
from typing import Any

import pytest

from c4 import invocation
from c4.cli import RunError
from c4.invocation import as_typed_here, begin, install, typed
from c4.params.errors import ConfigError

HINT = "python train.py resume=auto, python -m c4.sweeps report DIR; python -m c4.adapters.pbrain"


@pytest.mark.parametrize(
    ("started", "in_tree", "said", "command"),
    [
        ("/a/bin/c4", False, "c4 train resume=auto, c4 sweep report DIR; c4 pbrain", "c4 train"),
        ("/a/bin/c4", True, "c4 train resume=auto, c4 sweep report DIR; c4 pbrain", "c4 train"),
        (
            "/a/c4/__main__.py", True,
            "python -m c4 train resume=auto, python -m c4 sweep report DIR; python -m c4 pbrain", "python -m c4 train",
        ),
        ("/a/train.py", True, HINT, "/a/train.py"),
        ("my_script.py", True, HINT, "my_script.py"),
        ("my_script.py", False, "c4 train resume=auto, c4 sweep report DIR; c4 pbrain", "c4 train"),
    ],
)  # fmt: skip
def test_a_hint_names_what_can_be_typed(
    started: str, in_tree: bool, said: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", [started, "seed=1"])
    monkeypatch.setattr(invocation, "IN_TREE", in_tree)
    monkeypatch.setenv(invocation.COMMAND, "")
    begin("train")
    assert as_typed_here(HINT) == said
    assert typed() == command


def test_who_goes_on_looks_where_was_looked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["c4"])
    monkeypatch.setenv(invocation.COMMAND, "")
    monkeypatch.setenv(invocation.SOURCES, "")
    begin("train", sources=["--config-dir", "a folder"])
    assert typed() == "c4 train --config-dir 'a folder'"
    begin("train")
    assert typed() == "c4 train"


def test_columns_stay_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["c4"])
    before = "python play.py me=none      plays itself\necho 4 | python play.py     in a pipe\n\n  no command   here"
    assert as_typed_here(before).split("\n") == [
        "c4 play me=none             plays itself", "echo 4 | c4 play            in a pipe", "", "  no command   here",
    ]  # fmt: skip


def test_what_only_begins_like_a_command_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["c4"])
    assert as_typed_here("python train.pyx, python -m c4.sweepstakes") == "python train.pyx, python -m c4.sweepstakes"


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        ({"url": "file:///a/c4-1.0-cp313-linux.whl", "archive_info": {}}, "c4[web] @ file:///a/c4-1.0-cp313-linux.whl"),
        ({"url": "file:///a/clone", "dir_info": {}}, "c4[web] @ file:///a/clone"),
        (
            {"url": "https://a.b/c4.git", "vcs_info": {"vcs": "git", "commit_id": "12"}},
            "c4[web] @ git+https://a.b/c4.git",
        ),
        (None, "c4-1.0-....whl[web]"),
    ],
)
def test_what_is_missing_comes_from_where_c4_came_from(
    origin: dict[str, Any] | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = {"direct_url.json": None if origin is None else json.dumps(origin)}
    monkeypatch.setattr(invocation, "IN_TREE", False)
    monkeypatch.setattr(invocation, "distribution", lambda _: SimpleNamespace(version="1.0", read_text=read.get))
    assert install("web") == f'pip install "{said}"'


def test_what_is_missing_in_a_tree_and_in_a_copy_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(_: str) -> None:
        raise PackageNotFoundError

    assert install("ray") == 'pip install -c constraints.txt -e ".[ray]"'
    monkeypatch.setattr(invocation, "IN_TREE", False)
    monkeypatch.setattr(invocation, "distribution", nowhere)
    assert install("ray") == 'pip install "c4-VERSION-....whl[ray]"'


def test_nobody_else_says_how_to_install() -> None:
    """A hint of its own would name the c4 that somebody else has on PyPI."""
    source = invocation.TREE / "src"
    says = [str(path.relative_to(source)) for path in source.rglob("*.py") if "pip install" in path.read_text()]
    assert says == ["c4/invocation.py"]


@pytest.mark.parametrize(
    ("module", "missing", "says"),
    [
        ("c4.distributed.cluster:ray_module", "ray", 'needs Ray: pip install -c constraints.txt -e ".[ray]"'),
        ("c4.ui.play:_on_terminal", "c4.ui.terminal.app", 'pip install -c constraints.txt -e ".[ui]"; or take ui=text'),
        ("c4.ui.play:_in_browser", "c4.ui.web.server", 'install -c constraints.txt -e ".[web]"; or take ui=terminal'),
    ],
)
def test_who_misses_a_package_says_what_brings_it(
    module: str, missing: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    function = pkgutil.resolve_name(module)
    nothing: list[Any] = [None] * (function.__code__.co_argcount)
    with pytest.raises((ConfigError, RunError), match=re.escape(says)):
        function(*nothing)
