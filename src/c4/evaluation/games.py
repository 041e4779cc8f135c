"""Whole games between two players, many at once, and their record for people. Knows no ratings."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from c4.native._core import Position
from c4.players.player import Forfeit, Player


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlayedGame:
    game: str
    first: str  # names
    second: str
    opening_plies: int  # of the actions, those that nobody chose
    actions: tuple[int, ...]
    result: int  # for the player who moves first: -1, 0, 1
    forfeit: str = ""  # why it was lost before its end

    def score(self, name: str) -> float:
        """Points of a player: 1, 1/2 or 0."""
        own = self.result if name == self.first else -self.result
        return (own + 1) / 2


def play_games(
    players: tuple[Player, Player],
    openings: Sequence[Position],
    *,
    first: Sequence[int],
    on_ply: Callable[[int], None] = lambda _: None,
) -> list[PlayedGame]:
    """One game from each opening; first[i] says which of the two players moves first in game i (at ply 0).

    `on_ply` is told how many games are over.
    """
    positions = list(openings)
    for player in players:
        player.begin(len(positions))
    lost: dict[int, Forfeit] = {}  # by the player to move

    def over(slot: int) -> bool:
        return slot in lost or positions[slot].is_terminal

    while not all(map(over, range(len(positions)))):
        for index, player in enumerate(players):
            turn = {
                slot: position
                for slot, position in enumerate(positions)
                if not over(slot) and _mover(position, first=first[slot]) == index
            }
            if turn:
                for slot, action in player.choose(turn).items():
                    if isinstance(action, Forfeit):
                        lost[slot] = action
                    else:
                        positions[slot] = positions[slot].play(action)
        on_ply(sum(map(over, range(len(positions)))))
    return [
        PlayedGame(
            game=position.game,
            first=players[first[slot]].name,
            second=players[1 - first[slot]].name,
            opening_plies=openings[slot].ply,
            actions=tuple(position.actions),
            result=first_players_result(position) if slot not in lost else 2 * (position.ply % 2) - 1,
            forfeit=lost[slot].reason if slot in lost else "",
        )
        for slot, position in enumerate(positions)
    ]


def play_pairs(
    players: tuple[Player, Player], openings: Sequence[Position], *, on_ply: Callable[[int], None] = lambda _: None
) -> list[tuple[PlayedGame, PlayedGame]]:
    """Two games from each opening with colours swapped, all at the same time."""
    games = play_games(
        players,
        [opening for opening in openings for _ in range(2)],
        first=[0, 1] * len(openings),
        on_ply=on_ply,
    )
    return list(zip(games[::2], games[1::2], strict=True))


def first_players_result(position: Position) -> int:
    """value: native/value.h. The result of a finished game, seen by the player who moved at ply 0."""
    return position.value if position.ply % 2 == 0 else -position.value


def _mover(position: Position, *, first: int) -> int:
    return first if position.ply % 2 == 0 else 1 - first


def record(game: PlayedGame, *, number: int) -> str:
    """One game as text, after the manner of PGN."""
    result = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[game.result]
    tags = {
        "Game": game.game,
        "Round": str(number),
        "First": game.first,
        "Second": game.second,
        "OpeningPlies": str(game.opening_plies),
        "Plies": str(len(game.actions)),
        "Result": result,
    } | ({"Termination": game.forfeit.replace('"', "'")} if game.forfeit else {})
    position, names = Position(game.game), []
    for action in game.actions:
        names.append(position.action_name(action))
        position = position.play(action)
    turns = [f"{turn + 1}. {' '.join(names[2 * turn : 2 * turn + 2])}" for turn in range((len(names) + 1) // 2)]
    lines, line = [], ""
    for word in [*turns, result]:
        if len(line) + len(word) > 78:
            lines.append(line.rstrip())
            line = ""
        line += word + " "
    head = "\n".join(f'[{tag} "{value}"]' for tag, value in tags.items())
    return head + "\n\n" + "\n".join([*lines, line.rstrip()]) + "\n"
