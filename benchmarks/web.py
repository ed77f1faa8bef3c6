"""The server under load: many people play at once, many analyse, one requests a page, all leave.

The server runs in another process, as users start it; the clients share one event loop here.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.clock import Settings
from benchmarks.table import Row
from benchmarks.targets import (
    FIRST_LINE_SECONDS,
    MEMORY_RATIO,
    NO_ERRORS,
    PAGE_SECONDS,
    REPLY_SECONDS,
    Target,
)
from plyforge.core.randomness import Stream

CLIENTS, QUICK_CLIENTS = 50, 10
TURNS, QUICK_TURNS = 10, 4
CROWD, QUICK_CROWD = 200, 40
CROWD_TURNS = 2
ANALYSTS = 3
MANY_ANALYSTS, QUICK_ANALYSTS = 20, 6
ANALYSIS_SECONDS = 6.0
SETTLE_SECONDS = 3.0
"""Seconds after which the memory of clients that have left should be free."""
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
    refused: int = 0
    """Requests that the server has refused for a reason that it gave: it is full or busy."""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield rows for the replies of the engine, the page, first lines, errors and memory."""
    clients = QUICK_CLIENTS if settings.quick else CLIENTS
    turns = QUICK_TURNS if settings.quick else TURNS
    crowd = QUICK_CROWD if settings.quick else CROWD
    analysts = QUICK_ANALYSTS if settings.quick else MANY_ANALYSTS
    with TemporaryDirectory() as folder, _server(Path(folder) / "games.db") as (process, address):
        asyncio.run(_warm_up(address))
        time.sleep(SETTLE_SECONDS)
        before = _memory(process.pid)
        playing = Measurements()
        asyncio.run(_run_clients(address, clients, turns, playing, ANALYSTS))
        alone, cpu = Measurements(), _cpu_seconds(process.pid)
        asyncio.run(_run_clients(address, clients, turns, alone, analysts=0))
        cpu = _cpu_seconds(process.pid) - cpu
        lines, crowded = Measurements(), Measurements()
        asyncio.run(_run_analysts(address, analysts, lines))
        asyncio.run(_run_crowd(address, crowd, crowded))
        during = _memory(process.pid)
        time.sleep(SETTLE_SECONDS)
        after = _memory(process.pid)
    game = f"{clients} players"
    case = "a move and the engine's reply"
    yield _row(game, case, playing.replies)
    yield _percentile_row(game, f"{case}, 99 %", playing.replies, REPLY_SECONDS)
    yield _row(game, "the first page meanwhile", playing.pages, PAGE_SECONDS)
    yield _error_row(game, playing, f"with {ANALYSTS} pages analysing")
    yield _percentile_row(f"{game} alone", f"{case}, 99 %", alone.replies, REPLY_SECONDS)
    if cpu and alone.replies:
        share = cpu / len(alone.replies)
        note = "unlike the others, this hardly depends on what else the machine does"
        case_text = "processor time of the server per turn"
        yield Row("web", f"{game} alone", case_text, ours=share, unit="s", note=note)
    worst = max(lines.replies, default=None)
    yield Row(
        "web", f"{analysts} analysts", "the first line of the last one", ours=worst, unit="s",
        target=FIRST_LINE_SECONDS, note=f"median: {_median(lines.replies):.2f} s",
    )  # fmt: skip
    yield _error_row(f"{analysts} analysts", lines, "")
    yield _row(f"{crowd} players", case, crowded.replies)
    yield _error_row(f"{crowd} players", crowded, "", f"told why: {crowded.refused}")
    if before and during and after:
        yield Row(
            "web", "all", "memory after they have left / before", ours=after, theirs=before,
            unit="MiB", ratio=after / before, target=MEMORY_RATIO, note=f"meanwhile: {during:.0f}",
        )  # fmt: skip


@contextmanager
def _server(file: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server in another process; yield it with its address."""
    command = [sys.executable, "-m", "plyforge", "serve", "--no-open", "--port", "0"]
    process = subprocess.Popen([*command, "--played", str(file)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        yield process, found.group().rstrip("/")
    finally:
        process.terminate()
        process.wait(10)


def _median(times: list[float]) -> float:
    return statistics.median(times) if times else 0.0


def _percentile_row(game: str, case: str, times: list[float], target: Target) -> Row:
    worst = sorted(times)[int(0.99 * len(times))] if times else None
    return Row("web", game, case, ours=worst, unit="s", target=target)


def _error_row(game: str, measured: Measurements, note: str, refused: str = "") -> Row:
    """Return a row for errors; clients that were told why they have to wait are no errors."""
    text = measured.errors[0] if measured.errors else ", ".join(filter(None, (note, refused)))
    count = float(len(measured.errors))
    return Row("web", game, "errors", ours=count, unit="s", target=NO_ERRORS, note=text)


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


async def _run_clients(
    address: str, clients: int, turns: int, measured: Measurements, analysts: int
) -> None:
    finished = asyncio.Event()
    background = [
        asyncio.create_task(_analyse(address, finished, measured)) for _ in range(analysts)
    ]
    background.append(asyncio.create_task(_request_pages(address, finished, measured)))
    await asyncio.gather(
        *(_play(address, n, GAMES[n % len(GAMES)], turns, measured) for n in range(clients))
    )
    finished.set()
    await asyncio.gather(*background)


async def _run_analysts(address: str, analysts: int, measured: Measurements) -> None:
    """Let pages analyse at the same time; measure when each has its first line."""
    await asyncio.gather(*(_await_first_line(address, measured) for _ in range(analysts)))


async def _await_first_line(address: str, measured: Measurements) -> None:
    try:
        async with connect(_socket(address), max_size=None) as socket:
            request = {"type": "search", "game": "checkers", "how": {}, "seconds": 30, "lines": 2}
            started, seen = time.perf_counter(), False
            await socket.send(json.dumps(request))
            while time.perf_counter() - started < ANALYSIS_SECONDS:
                try:
                    message = json.loads(await asyncio.wait_for(socket.recv(), 0.5))
                except TimeoutError:
                    continue
                if message["type"] == "error":
                    raise RuntimeError(message["text"])
                if message["type"] == "info" and not seen:
                    seen = True
                    measured.replies.append(time.perf_counter() - started)
            if not seen:
                raise RuntimeError(f"no line within {ANALYSIS_SECONDS:g} s")
    except Exception as error:
        measured.errors.append(f"analysis: {type(error).__name__}: {error}")


async def _run_crowd(address: str, clients: int, measured: Measurements) -> None:
    """Let more pages play than the server was made for: each is served or told why not."""
    players = (_play(address, n, GAMES[n % 3], CROWD_TURNS, measured) for n in range(clients))
    await asyncio.gather(*players)


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
        if re.search("server is (full|too busy)|pages are open", str(error)):
            measured.refused += 1
        else:
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


def _cpu_seconds(process: int) -> float:
    """Return the processor time of a process; 0 where the system has no such figure."""
    status = Path(f"/proc/{process}/stat")
    if not status.exists():
        return 0.0
    user, system = status.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _memory(process: int) -> float | None:
    """Return the resident MiB of a process; None where the system has no such figure."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return None
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text())
    return None if found is None else int(found.group(1)) / 1024
