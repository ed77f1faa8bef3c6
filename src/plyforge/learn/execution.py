"""Run the kernel of learning: compiled, or as plain Python for comparison."""

from typing import Any

from plyforge.compilation.array_kernels import ArrayContext
from plyforge.compilation.kernel import Backend
from plyforge.learn.kernels.tasks import LEARN


class Context(ArrayContext):
    """The numbers and the arrays of a task of learning."""

    def __init__(self, backend: Backend = "compiled", **values: Any) -> None:
        super().__init__(LEARN, backend, **values)
