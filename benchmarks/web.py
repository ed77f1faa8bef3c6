"""The server under load: many people play at once, some analyse, and one requests a page.

The server runs in another process, as users start it; the clients share one event loop here.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.clock import Settings
from benchmarks.table import Row
from benchmarks.targets import NO_ERRORS, PAGE_SECONDS
from plyforge.core.randomness import Stream

CLIENTS, QUICK_CLIENTS = 50, 10
TURNS, QUICK_TURNS = 15, 4
ANALYSTS = 3
GAMES = ("checkers", "connect4", "tictactoe")
LEVEL = 6
TIMEOUT = 120.0
"""Seconds after which a missing answer counts as an error."""
PAUSE = 0.05
"""Seconds between two requests for a page."""


@dataclass
class Measurements:
    """The measurements of the clients."""

    replies: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield rows for the replies of the engine, the page, errors and memory."""
    clients = QUICK_CLIENTS if settings.quick else CLIENTS
    turns = QUICK_TURNS if settings.quick else TURNS
    process = subprocess.Popen(
        [sys.executable, "-m", "plyforge", "serve", "--no-open", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        address = found.group().rstrip("/")
        asyncio.run(_warm_up(address))
        measured, started = Measurements(), time.perf_counter()
        asyncio.run(_run_clients(address, clients, turns, measured))
        seconds = time.perf_counter() - started
        memory = _memory(process.pid)
    finally:
        process.terminate()
        process.wait(10)
    game = f"{clients} players"
    yield _row(game, "a move and the engine's reply", measured.replies)
    yield _row(game, "the first page meanwhile", measured.pages, PAGE_SECONDS)
    yield Row("web", game, "turns a second", None, len(measured.replies) / seconds, None, "turns/s")
    note = measured.errors[0] if measured.errors else f"with {ANALYSTS} pages analysing"
    yield Row(
        "web",
        game,
        "errors",
        ours=float(len(measured.errors)),
        unit="s",
        target=NO_ERRORS,
        note=note,
    )
    if memory is not None:
        yield Row("web", game, "memory of the server, MiB", ours=memory, unit="MiB")


def _row(game: str, case: str, times: list[float], target: Any = None) -> Row:
    worst = max(times, default=0.0)
    return Row(
        "web", game, case, ours=statistics.median(times), unit="s", target=target,
        note=f"median of {len(times)}; maximum: {worst * 1e3:.0f} ms",
    )  # fmt: skip


async def _warm_up(address: str) -> None:
    """Play one game of each, so that the kernels are compiled."""
    measured = Measurements()
    for number, game in enumerate(GAMES):
        await _play(address, number, game, 1, measured)
    if measured.errors:
        raise RuntimeError(measured.errors[0])


async def _run_clients(address: str, clients: int, turns: int, measured: Measurements) -> None:
    finished = asyncio.Event()
    background = [
        asyncio.create_task(_analyse(address, finished, measured)) for _ in range(ANALYSTS)
    ]
    background.append(asyncio.create_task(_request_pages(address, finished, measured)))
    await asyncio.gather(
        *(_play(address, n, GAMES[n % len(GAMES)], turns, measured) for n in range(clients))
    )
    finished.set()
    await asyncio.gather(*background)


async def _play(address: str, number: int, game: str, turns: int, measured: Measurements) -> None:
    """Play as a person who moves at random and starts again when a game is over."""
    stream = Stream(number)
    try:
        async with connect(_socket(address), max_size=None) as socket:
            new = {"type": "new", "game": game, "side": "first", "level": LEVEL, "seed": number}
            state = await _request_state(socket, new)
            for _ in range(turns):
                while not state["legal"]:
                    state = await _request_state(socket, new)
                move = stream.choice(state["legal"])
                started = time.perf_counter()
                message = {"type": "move", "text": move["text"], "ply": len(state["moves"])}
                state = await _request_state(socket, message)
                while state["thinking"]:
                    state = await _state(socket)
                measured.replies.append(time.perf_counter() - started)
    except Exception as error:  # every error is counted
        measured.errors.append(f"{type(error).__name__}: {error}")


async def _request_state(socket: ClientConnection, message: dict[str, Any]) -> dict[str, Any]:
    await socket.send(json.dumps(message))
    return await _state(socket)


async def _state(socket: ClientConnection) -> dict[str, Any]:
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), TIMEOUT))
        if message["type"] == "error":
            raise RuntimeError(message["text"])
        if message["type"] == "state":
            return dict(message)


async def _analyse(address: str, finished: asyncio.Event, measured: Measurements) -> None:
    """Keep an analysis running on a page."""
    try:
        async with connect(_socket(address), max_size=None) as socket:
            request = {"type": "search", "game": "checkers", "how": {}, "seconds": 5, "lines": 2}
            await socket.send(json.dumps(request))
            while not finished.is_set():
                try:
                    message = json.loads(await asyncio.wait_for(socket.recv(), 0.5))
                except TimeoutError:
                    continue
                if message["type"] == "error":
                    raise RuntimeError(message["text"])
                if message["type"] == "done":
                    await socket.send(json.dumps(request))
    except Exception as error:
        measured.errors.append(f"analysis: {type(error).__name__}: {error}")


async def _request_pages(address: str, finished: asyncio.Event, measured: Measurements) -> None:
    """Request the page repeatedly."""
    while not finished.is_set():
        started = time.perf_counter()
        try:
            await asyncio.to_thread(_fetch, address + "/")
            measured.pages.append(time.perf_counter() - started)
        except OSError as error:
            measured.errors.append(f"page: {error}")
        await asyncio.sleep(PAUSE)


def _fetch(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=TIMEOUT) as response:
        return bytes(response.read())


def _socket(address: str) -> str:
    return address.replace("http", "ws", 1) + "/socket"


def _memory(process: int) -> float | None:
    """Return the resident MiB of a process; None where the system has no such figure."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return None
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text())
    return None if found is None else int(found.group(1)) / 1024
