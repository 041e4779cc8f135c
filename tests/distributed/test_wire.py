"""What goes over the network comes back as it was, and is small."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.distributed.kit import weights
from tests.selfplay.kit import GAME
from tests.selfplay.test_chunks import playing

from c4.distributed.wire import pack, pack_weights, size_of, unpack, unpack_weights
from c4.selfplay.chunks import Chunk, Played


def chunk(games: int) -> Played:
    played = playing(value_trace=0.9).play(Chunk(first=3, games=games), version=7, openings=[], watch=lambda: False)
    assert played is not None
    return played


def test_samples_and_games_come_back_bit_for_bit() -> None:
    sent = chunk(20)
    come = unpack(pack(sent), game=GAME)
    assert np.array_equal(come.samples, sent.samples)
    assert come.games == sent.games
    assert (come.chunk, come.counters) == (sent.chunk, sent.counters)


def test_a_position_takes_less_than_60_bytes() -> None:
    sent = chunk(60)
    assert len(pack(sent)) / len(sent.samples) < 60


def test_bytes_of_another_kind_are_refused() -> None:
    frame = pack(chunk(2))
    with pytest.raises(ValueError, match="damaged"):
        unpack(frame[:-9], game=GAME)
    with pytest.raises(ValueError, match="column packed does not fit"):
        unpack(frame, game="connect4")


def test_weights_come_back_exactly_or_in_half() -> None:
    sent = weights()
    whole = unpack_weights(pack_weights(sent))
    assert all(torch.equal(whole[name], tensor) for name, tensor in sent.items())
    for form in (torch.bfloat16, torch.float16):
        packed = pack_weights(sent, half=form)
        assert size_of(packed) < 0.7 * size_of(pack_weights(sent))
        half = unpack_weights(packed)
        for name, tensor in sent.items():
            assert half[name].dtype == tensor.dtype
            assert torch.equal(half[name], tensor if tensor.dim() < 2 else tensor.to(form).float())


def test_nothing_at_all_can_be_sent() -> None:
    sent = chunk(3)
    none = Played(chunk=Chunk(first=0, games=0), samples=sent.samples[:0], games=[], counters={})
    assert len(unpack(pack(none), game=GAME).samples) == 0
    assert np.array_equal(unpack(pack(sent), game=GAME).samples, sent.samples)
