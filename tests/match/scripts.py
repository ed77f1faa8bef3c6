"""Players in files, for matches that run in other processes."""

from pathlib import Path
from typing import Final

SCRIPTS: Final = {
    "last": "def choose(history):\n    return history.legal_moves()[-1]\n",
    "slow": (
        "import time\n"
        "from pathlib import Path\n"
        "def begin(game, seed):\n"
        "    with Path(__file__).with_suffix('.log').open('a') as log:\n"
        "        log.write(f'{seed}\\n')\n"
        "def choose(history):\n"
        "    time.sleep(0.03)\n"
        "    return history.legal_moves()[len(history.moves) * 7 % len(history.legal_moves())]\n"
    ),
    "exits": "import os\ndef choose(history):\n    os._exit(3)\n",
    "aborts": "import os\ndef choose(history):\n    os.abort()\n",
    "is_ended": (
        "import os, signal\ndef choose(history):\n    os.kill(os.getpid(), signal.SIGTERM)\n"
    ),
    "leaves": "import sys\ndef choose(history):\n    sys.exit(2)\n",
    "raises": "def choose(history):\n    raise ValueError('no\\nidea')\n",
    "fails_to_begin": (
        "def begin(game, seed):\n    raise OSError('no disk')\n"
        "def choose(history):\n    return history.legal_moves()[0]\n"
    ),
    "dies_beginning": (
        "import os\ndef begin(game, seed):\n    os._exit(4)\n"
        "def choose(history):\n    return history.legal_moves()[0]\n"
    ),
    "cheats": "def choose(history):\n    return 77\n",
    "silent": "def choose(history):\n    pass\n",
    "array": "import numpy as np\ndef choose(history):\n    return np.arange(3)\n",
    "hangs": "import time\ndef choose(history):\n    time.sleep(1000)\n",
    "spins": "def choose(history):\n    while True:\n        pass\n",
}


def script(folder: Path, name: str) -> str:
    """The description of a player that behaves as its name says."""
    file = folder / f"{name}.py"
    file.write_text(SCRIPTS[name], encoding="utf-8")
    return f"python:{file}"
