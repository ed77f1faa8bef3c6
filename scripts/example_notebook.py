"""Run examples/notebook.ipynb and store its outputs; write the pictures of docs/notebook.md."""

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
_TIMEOUT = 600
"""Seconds that a cell may take: the first search of a game compiles it."""


def execute(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """Run a notebook in a folder and return it with its outputs; errors of cells are raised."""
    result = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory() as sockets:  # ports could be taken by other processes
        NotebookClient(
            result,
            timeout=_TIMEOUT,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
            record_timing=False,
            config=Config({"KernelManager": {"transport": "ipc", "ip": f"{sockets}/kernel"}}),
        ).execute()
    return result


def strip(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Remove what depends on the machine: versions and standard error."""
    result = copy.deepcopy(notebook)
    result.metadata = {"language_info": {"name": "python"}}
    for cell in result.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
    return result


def pictures() -> dict[str, str]:
    """Draw the pictures of the page; the keys are file names."""
    game = plyforge.load("checkers")
    history = game.history()
    history.play_text("11-15 23-19 8-11")
    trees = plyforge.load("tree")
    view = View(trees, trace=Trace())
    alpha_beta(view, view.root(trees.parse("[[3,12,8],[2,4,6],[14,5,2]]")), depth=2)
    assert view.trace is not None
    return {
        "checkers.svg": game.picture(history, arrows=[("22", "17", 0), ("27", "23", 1)]).svg,
        "alpha-beta.svg": tree(view.trace, standalone=True),
    }


def main() -> None:
    """Write the notebook and the pictures."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.write(strip(execute(notebook, ROOT)), NOTEBOOK)
    PICTURES.mkdir(exist_ok=True)
    for name, svg in pictures().items():
        (PICTURES / name).write_text(svg + "\n", encoding="utf-8")
    print(f"wrote {NOTEBOOK} and {PICTURES}")


if __name__ == "__main__":
    main()
