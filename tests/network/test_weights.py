"""Player files: what is written is read, what is not a player is refused in a sentence, and nothing in a file runs."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import pickle
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import safetensors.torch
import torch
from tests.network.foreign import Mlp
from tests.network.shapes import CONNECT4, SHAPES, SMALL, random_planes, trained_like

from c4.network import weights
from c4.network.weights import PlayerFileError, load_player, save_player
from c4.params.network import NetworkParams
from c4.params.target import ASKED, Target, trust


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A good player."""
    path = tmp_path / "player.safetensors"
    network = trained_like(CONNECT4, SMALL)
    save_player(path, spec=CONNECT4, design=SMALL, state=network.state_dict(), card={"generation": 3, "note": "good"})
    return path


@pytest.mark.parametrize("params", SHAPES.values(), ids=SHAPES)
def test_what_is_written_is_read(tmp_path: Path, params: NetworkParams) -> None:
    network = trained_like(CONNECT4, params)
    path = tmp_path / "player.safetensors"
    save_player(path, spec=CONNECT4, design=params, state=network.state_dict(), card={"errors": [0.5, 1], "by": "me"})
    player = load_player(path, game="connect4")
    assert (player.spec, player.design) == (CONNECT4, params)
    assert player.card == {"errors": [0.5, 1], "by": "me"}
    planes = random_planes(CONNECT4, 4).float()
    with torch.no_grad():
        for before, after in zip(network(planes)[:3], player.network(planes)[:3], strict=True):
            assert torch.equal(before, after)
    assert list(tmp_path.iterdir()) == [path]


def test_a_player_may_begin_with_any_byte(tmp_path: Path) -> None:
    """The first is the length of the header, modulo 256; the same byte begins a pickle."""
    path, begins = tmp_path / "player.safetensors", set()
    state = trained_like(CONNECT4, SMALL).state_dict()
    for length in range(0, 256, 8):
        save_player(path, spec=CONNECT4, design=SMALL, state=state, card={"note": "x" * length})
        assert load_player(path).spec == CONNECT4
        begins.add(path.read_bytes()[:1])
    assert b"\x80" in begins


@pytest.mark.parametrize("protocol", range(2, 6))
def test_a_player_is_no_pickle_however_it_begins_and_wherever_it_is_cut(tmp_path: Path, protocol: int) -> None:
    """Eight bytes tell how long the header is, and with some lengths a file begins as a pickle of that protocol."""
    path, cut = tmp_path / "player.safetensors", tmp_path / "cut.safetensors"
    header, note = 1 << 16 | protocol << 8 | 0x80, ""
    for _ in range(2):
        save_player(
            path, spec=CONNECT4, design=SMALL, state=trained_like(CONNECT4, SMALL).state_dict(), card={"n": note}
        )
        note = "x" * (header - int.from_bytes(path.read_bytes()[:8], "little"))
    data = path.read_bytes()
    assert data[:8] == bytes([0x80, protocol, 1, 0, 0, 0, 0, 0])
    assert load_player(path).spec == CONNECT4
    for length in (1, 2, 3, 4, 7, 8, 9, 500, header, len(data) - 1):
        cut.write_bytes(data[:length])
        with pytest.raises(PlayerFileError, match="incomplete, or not a player"):
            load_player(cut)
    cut.write_bytes(pickle.dumps({"state_dict": list(range(9))}, protocol=protocol))
    with pytest.raises(PlayerFileError, match="is refused: it is a pickle"):
        load_player(cut)


def test_a_player_is_replaced_whole_or_not_at_all(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save_player(
            path, spec=CONNECT4, design=SMALL, state=trained_like(CONNECT4, SMALL, seed=9).state_dict(), card={}
        )
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


class Bomb:
    """Unpickling it makes a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return os.mkdir, (str(self._path),)


def pickled(bomb: Bomb) -> bytes:
    return pickle.dumps({"state_dict": bomb})


def checkpoint_with(bomb: Bomb) -> bytes:
    data = io.BytesIO()
    torch.save({"c4_player": "{}", "state_dict": {}, "callbacks": bomb}, data)
    return data.getvalue()


@pytest.mark.parametrize("name", ["player.safetensors", "run.ckpt"])
@pytest.mark.parametrize("make", [pickled, checkpoint_with])
def test_a_malicious_pickle_is_refused_and_does_not_run(
    tmp_path: Path, name: str, make: Callable[[Bomb], bytes]
) -> None:
    target = tmp_path / "it-ran"
    file = tmp_path / name
    file.write_bytes(make(Bomb(target)))
    with pytest.raises(PlayerFileError, match="is refused: .* could run anything"):
        load_player(file)
    assert not target.exists()


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.99, 0.9999])
def test_a_truncated_player_is_refused(path: Path, share: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(PlayerFileError, match="is incomplete, or not a player"):
        load_player(path)


def test_a_checkpoint_that_has_changed_since_is_refused(tmp_path: Path, path: Path) -> None:
    file, player = tmp_path / "run.ckpt", load_player(path)
    header = weights.player_header(player.spec, player.design, card={})
    state = {f"{weights.TRAINED}{name}": tensor for name, tensor in player.state.items()}
    torch.save({weights.CHECKPOINT_KEY: header, "state_dict": state}, file)
    assert load_player(file).design == player.design
    whole = file.read_bytes()
    with zipfile.ZipFile(file) as parts:
        largest = max((one for one in parts.infolist() if "/data/" in one.filename), key=lambda part: part.file_size)
        place = whole.index(parts.read(largest)) + largest.file_size // 2
    file.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
    with pytest.raises(PlayerFileError, match="is broken: it has changed since it was written"):
        load_player(file)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_truncated_checkpoint_is_refused(tmp_path: Path, share: float) -> None:
    data = io.BytesIO()
    torch.save({"c4_player": "{}", "state_dict": {"network.x": torch.zeros(1000)}}, data)
    file = tmp_path / "run.ckpt"
    file.write_bytes(data.getvalue()[: int(share * len(data.getvalue()))])
    with pytest.raises(PlayerFileError, match="is incomplete, or not a checkpoint"):
        load_player(file)


def test_another_game_is_named(path: Path) -> None:
    with pytest.raises(PlayerFileError, match="plays connect4, not gomoku8"):
        load_player(path, game="gomoku8")


def changed(path: Path, **parts: object) -> Path:
    """The same player under another header."""
    header = json.loads(weights.player_header(CONNECT4, SMALL, card={})) | parts
    kept = {key: value for key, value in header.items() if value is not None}
    safetensors.torch.save_file(safetensors.torch.load_file(path), path, metadata={"c4": json.dumps(kept)})
    return path


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"format": 99, "version": "7.1"}, "has format 99 .* this program reads format 1 .* version 7.1 of c4"),
        ({"planes": 2}, "planes 2, this program reads"),
        ({"game": {"name": "chess"}}, "No game is called 'chess'"),
        ({"game": {"name": "connect4", "planes": 3, "height": 9}}, "another board that was also called connect4"),
        ({"network": {"width": 8}}, "network.*has no value|depth"),
        ({"network": None}, "its header is broken"),
        ({"game": 5}, "its header is broken"),
    ],
)
def test_a_header_of_another_kind_is_refused(path: Path, parts: dict[str, object], sentence: str) -> None:
    with pytest.raises(PlayerFileError, match=sentence):
        load_player(changed(path, **parts))


def test_weights_that_do_not_fit_are_refused(path: Path) -> None:
    wider = json.loads(weights.player_header(CONNECT4, SHAPES["scalar"], card={}))["network"]
    with pytest.raises(PlayerFileError, match="do not fit the network that it names"):
        load_player(changed(path, network=wider))


def test_a_network_that_a_small_file_names_is_not_built_to_refuse_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    giant = dataclasses.replace(SMALL, width=1024, depth=64)  # several gigabytes

    def built(*_: object) -> object:
        raise AssertionError("it was built")

    monkeypatch.setattr(weights, "make_network", built)
    named = json.loads(weights.player_header(CONNECT4, giant, card={}))["network"]
    with pytest.raises(PlayerFileError, match="do not fit the network that it names"):
        load_player(changed(path, network=named))


def test_a_checkpoint_that_is_larger_than_its_file_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = tmp_path / "bomb.ckpt"
    torch.save({"state_dict": {"network.x": torch.zeros(1 << 20)}}, bomb)
    with zipfile.ZipFile(bomb) as whole, zipfile.ZipFile(tmp_path / "packed.ckpt", "w", zipfile.ZIP_DEFLATED) as packed:
        for name in whole.namelist():
            packed.writestr(name, whole.read(name))
    monkeypatch.setattr(torch, "load", lambda *_, **__: pytest.fail("it was read"))
    with pytest.raises(PlayerFileError, match="incomplete, or not a checkpoint"):
        load_player(tmp_path / "packed.ckpt")


@pytest.mark.parametrize("name", ["player.safetensors", "state.ckpt"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(PlayerFileError, match="cannot be read: not a regular file"):
        load_player(tmp_path / name)
    with pytest.raises(PlayerFileError, match="not a player"):
        weights.read_card(tmp_path / name)


def test_files_of_others_are_refused(tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.safetensors"
    safetensors.torch.save_file({"x": torch.zeros(3)}, stranger)
    with pytest.raises(PlayerFileError, match="not a player of c4"):
        load_player(stranger)
    archive = tmp_path / "archive.ckpt"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("hello", "there")
    with pytest.raises(PlayerFileError, match="not a checkpoint"):
        load_player(archive)
    foreign = tmp_path / "foreign.ckpt"
    torch.save({"state_dict": {"layer": torch.zeros(2)}}, foreign)
    with pytest.raises(PlayerFileError, match="not a checkpoint of c4"):
        load_player(foreign)


def test_a_missing_file_and_a_folder_are_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(PlayerFileError, match="cannot be read: No such file"):
        load_player(tmp_path / "nothing.safetensors")
    with pytest.raises(PlayerFileError, match="cannot be read: Is a directory"):
        load_player(tmp_path)


def test_weights_that_have_changed_on_the_disk_are_refused(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(PlayerFileError, match="is broken: it has changed since it was written"):
        load_player(path)


@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(path: Path, odd: float) -> None:
    state = load_player(path).state
    next(iter(state.values())).fill_(odd)
    save_player(path, spec=CONNECT4, design=SMALL, state=state, card={})
    with pytest.raises(PlayerFileError, match="some of its weights are not numbers"):
        load_player(path)


MINE = """
from pathlib import Path

from tests.network.foreign import Mlp

Path(__file__).with_suffix(".mark").touch()
"""


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module `nets_of_mine` with a network; it leaves this mark when it is imported. Nobody has asked for it."""
    (tmp_path / "nets_of_mine.py").write_text(MINE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "nets_of_mine", raising=False)
    monkeypatch.setenv(ASKED, "")
    return tmp_path / "nets_of_mine.mark"


def test_a_network_of_ones_own_comes_back_once_it_is_trusted(tmp_path: Path, mark: Path) -> None:
    path, design = tmp_path / "mine.safetensors", Target("nets_of_mine.Mlp", {"hidden": 8, "values": 1})
    torch.manual_seed(1)
    network = Mlp(CONNECT4, hidden=8, values=1).eval()
    planes = random_planes(CONNECT4, 5).float()
    said = network(planes)
    save_player(path, spec=CONNECT4, design=design, state=network.state_dict(), card={})
    with pytest.raises(PlayerFileError, match=r"cannot be used: nets_of_mine\.Mlp: .*trusted=\[nets_of_mine\.Mlp\]"):
        load_player(path)
    assert not mark.exists()
    trust(["nets_of_mine.Mlp"])
    player = load_player(path)
    assert mark.exists()
    assert player.design == design
    assert all(torch.equal(before, after) for before, after in zip(said, player.network(planes), strict=True))


def test_a_table_that_is_not_learned_may_be_without_end(tmp_path: Path, mark: Path) -> None:
    trust(["nets_of_mine.Mlp"])
    path, network = tmp_path / "masked.safetensors", Mlp(CONNECT4).eval()
    network(torch.zeros(1, 3, 6, 7))
    network.body[5].running_mean.fill_(float("-inf"))
    save_player(path, spec=CONNECT4, design=Target("nets_of_mine.Mlp"), state=network.state_dict(), card={})
    assert load_player(path).state["body.5.running_mean"].isinf().all()


@pytest.mark.parametrize(
    "named",
    [
        {"_target_": "nets_of_mine.Mlp"},
        {"_target_": "os.system", "command": "touch nets_of_mine.mark"},
        {"_target_": "c4.files.write_beside", "path": "nets_of_mine.mark", "data": ""},
        {"_target_": "torch.nn.Sequential", "_args_": [{"_target_": "nets_of_mine.Mlp"}]},
        {"_target_": "torch.load", "f": "nets_of_mine.mark", "weights_only": False},
    ],
    ids=lambda named: named["_target_"],
)
@pytest.mark.parametrize("checkpoint", [False, True], ids=["player", "checkpoint"])
def test_what_a_strangers_file_names_is_never_imported(
    path: Path, mark: Path, monkeypatch: pytest.MonkeyPatch, named: dict[str, object], checkpoint: bool
) -> None:
    monkeypatch.chdir(mark.parent)
    trust(["torch.nn.Sequential"])  # what it holds is no more trusted for that
    changed(path, network=named)
    if checkpoint:
        with safetensors.safe_open(path, framework="pt") as file:
            header = file.metadata()["c4"]
        path = path.with_suffix(".ckpt")
        torch.save({"c4_player": header, "state_dict": {"network.x": torch.zeros(2)}}, path)
    with pytest.raises(PlayerFileError, match=r"a file names what is not part of this program.*trusted=\["):
        load_player(path)
    assert not mark.exists()
    assert "nets_of_mine" not in sys.modules
