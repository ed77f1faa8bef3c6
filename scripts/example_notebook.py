"""Run examples/notebook.ipynb and store what it shows; write the pictures of docs/notebook.md."""

import copy
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

import plyforge
from plyforge.interfaces.drawing.tree import tree
from plyforge.search.textbook import Trace, View, alpha_beta

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "examples" / "notebook.ipynb"
PICTURES = ROOT / "docs" / "pictures"
_LONGEST = 600
"""Seconds that a cell may take: the first search of a game compiles it."""


def executed(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """A notebook with the outputs of its cells; an error in one of them is raised.

    The kernel is the Python that runs this, and works in a folder.
    """
    result = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory() as sockets:  # no ports, which others may take meanwhile
        NotebookClient(
            result,
            timeout=_LONGEST,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
            record_timing=False,
            config=Config({"KernelManager": {"transport": "ipc", "ip": f"{sockets}/kernel"}}),
        ).execute()
    return result


def plain(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Without what depends on the machine: versions, and notes on standard error."""
    result = copy.deepcopy(notebook)
    result.metadata = {"language_info": {"name": "python"}}
    for cell in result.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
    return result


def pictures() -> dict[str, str]:
    """The pictures of the page, by file name."""
    game = plyforge.load("checkers")
    history = game.history()
    history.play_text("11-15 23-19 8-11")
    trees = plyforge.load("tree")
    view = View(trees, trace=Trace())
    alpha_beta(view, view.root(trees.parse("[[3,12,8],[2,4,6],[14,5,2]]")), depth=2)
    assert view.trace is not None
    return {
        "checkers.svg": game.picture(history, arrows=[("22", "17", 0), ("27", "23", 1)]).svg,
        "alpha-beta.svg": tree(view.trace, alone=True),
    }


def main() -> None:
    """Write everything anew."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.write(plain(executed(notebook, ROOT)), NOTEBOOK)
    PICTURES.mkdir(exist_ok=True)
    for name, svg in pictures().items():
        (PICTURES / name).write_text(svg + "\n", encoding="utf-8")
    print(f"wrote {NOTEBOOK} and {PICTURES}")


if __name__ == "__main__":
    main()
