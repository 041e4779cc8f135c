"""A head that goes is said, in the moment that is left; one that only ends a connection is there for another."""

from __future__ import annotations

import socket

import pytest

from c4.distributed.head import HeadWatch

GONE = "is gone, and Ray ends this program with it; do something"


@pytest.fixture
def head() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


def watch(head: socket.socket) -> tuple[HeadWatch, str]:
    address = f"127.0.0.1:{head.getsockname()[1]}"
    return HeadWatch(address, advice="do something"), address


def test_a_head_that_goes_is_said(head: socket.socket, caplog: pytest.LogCaptureFixture) -> None:
    looking, address = watch(head)
    line, _ = head.accept()
    line.send(b"as a server of gRPC begins")
    line.close()
    line, _ = head.accept()  # another, as the head is there
    assert not caplog.messages
    head.close()
    line.close()
    looking.join()
    assert caplog.messages == [f"ray: the head of the cluster, {address}, {GONE}"]


def test_nothing_is_said_of_one_that_goes_when_nobody_looks(
    head: socket.socket, caplog: pytest.LogCaptureFixture
) -> None:
    looking, _ = watch(head)
    line, _ = head.accept()
    looking.close()
    looking.join()
    head.close()
    line.close()
    assert not caplog.messages
