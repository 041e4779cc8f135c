"""A connection that cannot be is one sentence, and soon; a head that goes is said before Ray ends the driver."""

from __future__ import annotations

import socket
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from benchmarks.ray_nodes import Nodes
from tests.distributed.kit import arena_params, source_params
from tests.e2e.ready import PATIENCE
from tests.e2e.training_kit import ROOT

from c4.distributed import cluster
from c4.distributed.cluster import ClusterError, connect
from c4.params.errors import ConfigError

pytest.importorskip("ray")
DRIVER = """
import sys, time
from tests.distributed.kit import source_params
from c4.distributed.cluster import connect
connect(source_params(f"selfplay.address={sys.argv[1]}"), processes=1)
print("connected", flush=True)
while True:
    time.sleep(1)
"""


def nobody() -> str:
    with socket.create_server(("127.0.0.1", 0)) as once:
        return f"127.0.0.1:{once.getsockname()[1]}"


@pytest.mark.parametrize("kind", ["", "ray://"])
def test_a_port_where_nobody_listens_is_not_waited_for(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWERS_WITHIN", 0.0)
    monkeypatch.setattr(cluster, "ray_module", lambda: SimpleNamespace(is_initialized=lambda: False))  # it is not asked
    address = f"{kind}{nobody()}"
    with pytest.raises(
        ClusterError, match=f"selfplay.address={address}: no Ray cluster answers there; begin one by `ray"
    ):
        connect(source_params(f"selfplay.address={address}"), processes=1)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ConnectionError("Could not find any running Ray instance."), "no Ray cluster answers there; begin one by"),
        (
            RuntimeError("Version mismatch: The cluster was started with:\n  Ray: 2.1\n  Python: 3.9.1"),
            "it runs another version of Ray or Python: Version mismatch: The cluster was started with: Ray: 2.1 Python",
        ),
    ],
)
def test_what_ray_raises_is_a_sentence(error: Exception, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def init(**_: Any) -> None:
        raise error

    monkeypatch.setattr(cluster, "ray_module", lambda: SimpleNamespace(is_initialized=lambda: False, init=init))
    with pytest.raises(ClusterError, match=f"selfplay.address=auto: {sentence}"):
        connect(source_params("selfplay.address=auto"), processes=1)


def test_a_head_that_is_too_busy_for_a_client_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def init(*, address: str, **_: Any) -> None:
        asked.append(address)
        if len(asked) < 3:
            raise ConnectionError("ray client connection timeout")

    ray = SimpleNamespace(is_initialized=lambda: False, init=init, shutdown=list)
    monkeypatch.setattr(cluster, "ray_module", lambda: ray)
    with socket.create_server(("127.0.0.1", 0)) as head:
        address = f"ray://127.0.0.1:{head.getsockname()[1]}"
        connect(source_params(f"selfplay.address={address}"), processes=1)
    assert asked == [address] * 3


def test_tasks_are_refused_over_the_connection_of_a_client() -> None:
    address = "address=ray://10.0.0.1:10001"
    assert source_params(f"selfplay.{address}").by_client
    for params, words in (
        (arena_params, (f"arena.{address}",)),
        (source_params, (f"selfplay.{address}", "selfplay.grade_beside=true")),
    ):
        with pytest.raises(ConfigError, match=f"{address} is not allowed here: a client's connection brings nothing"):
            params(*words)


def test_a_driver_says_that_its_head_is_gone() -> None:
    nodes = Nodes(cpus=0)
    driver = None
    try:
        nodes.wait()
        driver = subprocess.Popen(
            [sys.executable, "-c", DRIVER, nodes.address], cwd=ROOT, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert driver.stdout is not None
        assert "connected\n" in iter(driver.stdout.readline, "")
        nodes.kill(nodes.head)
        said = driver.communicate(timeout=PATIENCE)[0]
    finally:
        if driver is not None:
            driver.kill()
        nodes.close()
    assert driver.returncode == 1
    assert (
        f"ray: the head of the cluster, {nodes.address}, is gone, and Ray ends this program with it; resume=auto "
        "selfplay.address=ADDRESS goes on at another"
    ) in said
