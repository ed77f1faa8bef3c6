"""A program that speaks UCI for tic-tac-toe, and misbehaves as its argument says."""

import os
import signal
import sys
import time
from pathlib import Path

CELLS = [file + rank for rank in "123" for file in "abc"]


def answer(how, moves):
    free = [cell for cell in CELLS if cell not in moves]
    if how == "illegal":
        print(f"bestmove {(moves or ['z9'])[0]}")
    elif how == "none":
        print("bestmove (none)")
    elif how == "empty":
        print("bestmove")
    elif how == "flood":
        sys.stdout.buffer.write(b"\xff\x00 garbage\n" * 5000 + b"y" * 300_000 + b"\n")
        print("info depth x score cp nodes -5\ninfo score mate\ninfo nodes 9" + "9" * 5000)
        print(f"bestmove {free[0]} ponder z9")
    elif how == "late":
        time.sleep(1.0)
        print(f"bestmove {free[0]}")
    elif how == "closes":
        os.close(1)
        time.sleep(1000)
    else:
        print(f"info depth 7 multipv 2 score cp -500 nodes 50 pv {free[0]}")
        print(f"info depth 3 score cp 120 nodes 40 pv {free[0]}\ninfo string score cp 9 depth 9")
        print(f"bestmove {free[0]}")


def main():
    how = sys.argv[1]
    if len(sys.argv) > 2:
        with Path(sys.argv[2]).open("a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
    if how == "dies":
        print("Segmentation fault")
        sys.exit(3)
    moves, options = [], {}
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"] and how != "mute":
            print("id name fake\noption name Skill Level type spin default 20 min 0 max 20")
            print("hello\n\nuciok")
        elif words[:1] == ["isready"]:
            print("readyok")
        elif words[:2] == ["setoption", "name"]:
            options[line.split(" value ")[0].removeprefix("setoption name ")] = line.split()[-1]
        elif words[:1] == ["position"]:
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[:1] == ["go"]:
            if how == "crashes":
                os.kill(os.getpid(), signal.SIGKILL)
            if how == "echoes":
                print(f"info string {options}")
                with Path(sys.argv[2]).open("a", encoding="utf-8") as file:
                    file.write(f"{options} {line}")
            if how == "hangs":
                for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                    signal.signal(name, signal.SIG_IGN)
                sys.stdout.flush()
                while True:
                    time.sleep(1000)
            answer(how, moves)
        elif words[:1] == ["quit"]:
            return
        sys.stdout.flush()


if __name__ == "__main__":
    main()
