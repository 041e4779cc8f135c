"""c4: an AlphaZero for Connect Four and Gomoku that is measured against perfect play.

from c4 import load_agent

agent = load_agent("champion")
column = agent.act("4453")
"""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from c4.agent import Agent, load_agent

__all__ = ["Agent", "load_agent"]


def __getattr__(name: str) -> typing.Any:
    if name not in __all__:
        raise AttributeError(f"module 'c4' has no attribute '{name}'")
    from c4 import agent  # late: torch takes seconds, and most of c4 is imported without it

    return getattr(agent, name)
