"""Games as texts."""

from __future__ import annotations

import pytest
from tests.ui.kit import session

from c4.native._core import Position
from c4.ui.record import Note, from_text, read_record, to_text
from c4.ui.session import SessionError


@pytest.mark.parametrize(("game", "text"), [("connect4", "1212121"), ("gomoku9", "e5 d4 a1"), ("connect4", "")])
def test_a_game_comes_back_from_its_text(game: str, text: str) -> None:
    written = to_text(session(text, game=game), first="you", second="it")
    position = from_text(written, game="connect4")
    assert (position.game, position.text) == (game, text)


def test_the_text_says_who_won() -> None:
    assert "result: first player wins (in a row)\n" in to_text(session("1212121"), first="you", second="it")
    assert "result" not in to_text(session("12"), first="you", second="it")


def test_bare_moves_are_of_the_game_on_the_board() -> None:
    assert from_text(" 44\n53 \n", game="connect4").text == "4453"


@pytest.mark.parametrize(
    ("link", "game", "text"),
    [
        ("http://127.0.0.1:8000/?position=4453", "connect4", "4453"),
        (" https://c4.example/?game=gomoku9&position=e5+d4&side=both\n", "gomoku9", "e5 d4"),
        ("http://127.0.0.1:8000/?game=connect4&position=&side=first", "connect4", ""),
    ],
)
def test_the_pages_link_is_the_position_that_it_leads_to(link: str, game: str, text: str) -> None:
    position = from_text(link, game="connect4")
    assert (position.game, position.text) == (game, text)


@pytest.mark.parametrize(
    "text",
    [
        "game: chess\nmoves: e4", "moves: 99", "hello", "moves: 44444444", "note: x\n4453", "http://127.0.0.1/",
        "http://[/?position=4", "http://127.0.0.1/?position=99",
    ],
)  # fmt: skip
def test_what_is_no_game_is_told(text: str) -> None:
    with pytest.raises(SessionError, match="this is not a game"):
        from_text(text, game="connect4")


def test_what_was_found_out_goes_with_the_game_and_comes_back() -> None:
    notes = (
        Note(ply=2, mark="??", value=-1.0, sentence="turns a win into a loss: 4 was better"),
        Note(ply=3, value=0.5),
    )
    aside = (Position("connect4", "4435"),)
    written = to_text(session("445"), first="you", second="it", notes=(*notes, Note(ply=9)), variations=aside)
    assert "2: 4?? value -1.00 turns a win into a loss: 4 was better\n" in written
    assert "variation 1: 4435\n" in written
    record = read_record(written + "7: good luck!\nvariation: none\n", game="connect4")
    assert (record.end.text, record.notes) == ("445", notes)
    assert [each.text for each in record.variations] == ["4435"]
