"""The connection to Ray: a cluster of one's own on this machine, or one that is there. Its failures are sentences.

Knows no games.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

from c4.cli import RunError
from c4.distributed.head import HeadWatch
from c4.invocation import install
from c4.params.cluster import CLIENT, ClusterParams
from c4.params.source import SourceMode, SourceParams

log = logging.getLogger(__name__)

MOST_THREADS = 256  # of an actor
ANSWERS_WITHIN, AGAIN = 5.0, 0.2  # seconds: a port that somebody listens on, and until it is asked again
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
        without = "selfplay.actors=null and arena.actors=null do without"
        raise ClusterError(f"playing on a cluster needs Ray: {install('ray')}; {without}") from error
    return ray


def connect(params: ClusterParams, *, processes: int) -> Callable[[], None]:
    """Raises ClusterError when there is no such cluster; one of this run's own has room for so many processes. Gives
    what ends the connection.
    """
    ray = ray_module()
    if ray.is_initialized():  # somebody's own script holds it, and will end it
        return _nothing
    own = params.address is None
    about: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False, "include_dashboard": False}
    if own:
        room = max(1, -(-int(1000 * params.actor_cpus * processes) // 1000))
        about |= {"address": "local", "num_cpus": room, "object_store_memory": STORE_BYTES}
    else:
        _check_listens(params)
        about = {"address": params.address, "logging_level": logging.ERROR, "log_to_driver": False}
    try:
        with _own_signals():
            if own:  # in this thread: with the one that began them, Ray's processes end
                ray.init(**about)
            else:
                # Ray gives up a client after half a minute, however busy the head may be.
                longest = params.patience if params.by_client else 0.0
                ask = partial(_again, lambda: ray.init(**about), after=(ConnectionError,), seconds=longest)
                _within(params.patience, ask, what=_where(params))
    except ClusterError:
        raise
    except Exception as error:  # Ray raises what its parts raise
        raise ClusterError(f"{_where(params)}: {_sentence(error, params)}") from error
    log.info("ray: %s", "a cluster of its own on this machine" if own else f"connected to {params.address}")
    if params.by_client:
        return cast("Callable[[], None]", ray.shutdown)
    go_on = "resume=auto " if params.group == "selfplay" else ""
    watch = HeadWatch(
        ray.get_runtime_context().gcs_address, advice=f"{go_on}{params.group}.address=ADDRESS goes on at another"
    )

    def end() -> None:
        watch.close()
        ray.shutdown()

    return end


def actor_class(params: SourceParams, *, gpus: float) -> Any:
    """Worker as an actor. One that dies is replaced by whoever asked it, who knows what it was asked for."""
    from c4.distributed.worker import Worker

    threads = 1
    if params.mode is SourceMode.EXACT:  # one waits for each chunk with a game in play, and one for each ahead
        threads = min(4 * -(-params.actor_games // params.smallest_chunk) + 2 * params.chunks_ahead, MOST_THREADS)
    return ray_module().remote(
        num_cpus=params.actor_cpus,
        num_gpus=gpus,
        max_restarts=0,
        max_task_retries=0,
        max_concurrency=threads,
    )(Worker)


def wants(params: ClusterParams) -> str:
    """What each of its processes takes, and what there is of it."""
    each = [f"{params.actor_cpus:g} CPU"] if params.actor_cpus else []
    each += [f"{params.actor_gpus:g} GPU"] if params.actor_gpus else []
    room = ray_module().cluster_resources()
    has = f"{room.get('CPU', 0):g} CPU and {room.get('GPU', 0):g} GPU in all"
    return f"each wants {' and '.join(each) or 'nothing'}, and the cluster has {has}"


def is_full(params: ClusterParams) -> bool:
    """Whether it has no room for another of its processes."""
    room = ray_module().available_resources()
    return bool(room.get("CPU", 0) < params.actor_cpus or room.get("GPU", 0) < params.actor_gpus)


def check_code(said: Mapping[str, Any], *, here: Mapping[str, Any]) -> None:
    """Of a process that is to play, and of this one: `c4` and `python` must be the same. Raises ClusterError."""
    for key, name in (("c4", "code of c4"), ("python", "Python")):
        if said[key] != here[key]:
            raise ClusterError(
                f"{said['host']} has another {name} ({said[key]}) than this machine ({here[key]}): "
                "install the same on all of them"
            )


def _where(params: ClusterParams) -> str:
    return "ray cannot begin on this machine" if params.address is None else f"{params.group}.address={params.address}"


def _sentence(error: BaseException, params: ClusterParams) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, ConnectionError) or "GCS" in text:
        return _nobody(params)
    if "ersion" in text and "mismatch" in text.lower():
        return f"it runs another version of Ray or Python: {text}"
    return text or type(error).__name__


def _nobody(params: ClusterParams) -> str:
    return f"no Ray cluster answers there; begin one by `ray start --head`, or leave {params.group}.address=null"


def _check_listens(params: ClusterParams) -> None:
    """Ray itself asks again for a minute."""
    host, _, port = (params.address or "").removeprefix(CLIENT).rpartition(":")
    if not (host and port.isdecimal()):
        return
    most = min(ANSWERS_WITHIN, params.patience)
    failures = (OSError, OverflowError)
    try:  # it may be about to begin
        _again(lambda: socket.create_connection((host, int(port)), timeout=most).close(), after=failures, seconds=most)
    except failures as error:
        raise ClusterError(f"{_where(params)}: {_nobody(params)} ({error})") from error


def _again(work: Callable[[], Any], *, after: tuple[type[Exception], ...], seconds: float) -> None:
    """Until it does not fail in one of these ways, or so long has gone by: then as it failed last."""
    began = time.monotonic()
    while True:
        try:
            work()
        except after:
            if time.monotonic() - began >= seconds:
                raise
            time.sleep(AGAIN)
        else:
            return


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
