"""Handlers of messages, by type of message."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.protocol import Incoming
from plyforge.interfaces.web.state import ServerState


@dataclass(frozen=True)
class Handler:
    """The function that answers a type of message."""

    function: Callable[[ServerState, Client, Any], None]
    slow: bool = False
    """Whether it may take seconds, like replaying a long game: slow workers answer it, so that no
    player waits for it."""


Handlers = Mapping[type[Incoming], Handler]
