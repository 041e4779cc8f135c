"""The connection to Ray: a cluster of one's own on this machine, or one that is there. Its failures are sentences.

Knows no games.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from c4.cli import RunError
from c4.invocation import install
from c4.params.source import SourceMode, SourceParams

log = logging.getLogger(__name__)

STORE_BYTES = 256 << 20  # of a cluster of one's own: weights and chunks pass through it, nothing stays


class ClusterError(RunError):
    """The cluster cannot do what the run needs of it; the text is the whole message."""


def ray_module() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told that somebody plays
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".*")  # what is lost is said here, in a line
    try:
        import ray
    except ImportError as error:
        raise ClusterError(f"selfplay=ray needs Ray: {install('ray')}; selfplay.actors=null does without") from error
    return ray


def connect(params: SourceParams) -> Callable[[], None]:
    """Raises ClusterError when there is no such cluster. Gives what ends the connection."""
    ray = ray_module()
    ends: Callable[[], None] = ray.shutdown
    if ray.is_initialized():  # somebody's own script holds it, and will end it
        return _nothing
    own = params.address is None
    about: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False, "include_dashboard": False}
    if own:
        room = max(1, -(-int(1000 * params.actor_cpus * (params.actors or 1)) // 1000))
        about |= {"address": "local", "num_cpus": room, "object_store_memory": STORE_BYTES}
    else:
        about = {"address": params.address, "logging_level": logging.ERROR, "log_to_driver": False}
    try:
        with _own_signals():
            if own:  # in this thread: with the one that began them, Ray's processes end
                ray.init(**about)
            else:
                _within(params.patience, lambda: ray.init(**about), what=_where(params))
    except ClusterError:
        raise
    except Exception as error:  # Ray raises what its parts raise
        raise ClusterError(f"{_where(params)}: {_sentence(error)}") from error
    log.info("ray: %s", "a cluster of its own on this machine" if own else f"connected to {params.address}")
    return ends


def actor_class(params: SourceParams) -> Any:
    """Worker as an actor. One that dies is replaced by whoever asked it, who knows what it was asked for."""
    from c4.distributed.worker import Worker

    return ray_module().remote(
        num_cpus=params.actor_cpus,
        num_gpus=params.actor_gpus,
        max_restarts=0,
        max_task_retries=0,
        max_concurrency=params.chunks_ahead if params.mode is SourceMode.EXACT else 1,
    )(Worker)


def room_of() -> Mapping[str, float]:
    """What the cluster has in all, by the names of resources."""
    return dict(ray_module().cluster_resources())


def _where(params: SourceParams) -> str:
    return "ray cannot begin on this machine" if params.address is None else f"selfplay.address={params.address}"


def _sentence(error: BaseException) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, ConnectionError) or "GCS" in text:
        return "no Ray cluster answers there; begin one by `ray start --head`, or leave selfplay.address=null"
    if "ersion" in text and "mismatch" in text.lower():
        return f"it runs another version of Ray or Python: {text}"
    return text or type(error).__name__


def _within(seconds: float, work: Callable[[], Any], *, what: str) -> None:
    """Ray has no limit of its own for some of its waits."""
    failed: list[Exception] = []

    def run() -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001  raised below, in the thread that waits
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True, name="c4-ray-connect")
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise ClusterError(f"{what}: no answer within {seconds:g} seconds; a firewall, or no cluster?")
    if failed:
        raise failed[0]


@contextmanager
def _own_signals() -> Iterator[None]:
    """Ray puts a handler of its own on SIGTERM; a run has its own way to stop."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _nothing() -> None:
    pass
