"""Extended Position Description: positions with operations, as in test suites.

PGN standard, section 16.2.  A line is a position in four fields, and operations such as
`bm Nf3; id "test 1";`.  Two more numbers, as in FEN, are accepted.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from plyforge.core.errors import RecordError, clip

_FIELDS: Final = re.compile(r"\S+\s+[wb]\s+\S+\s+\S+(?:\s+\d+\s+\d+)?(?=\s|;|$)")
_OPERATION: Final = re.compile(r'\s*([A-Za-z]\w*)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)')
_OPERAND: Final = re.compile(r'"([^"]*)"|(\S+)')


@dataclass(frozen=True)
class EpdRecord:
    """A position with its operations."""

    position: str
    operations: dict[str, list[str]] = field(default_factory=dict)
    """The operands of each operation, by its name."""
    line: int = 1

    @property
    def name(self) -> str:
        """The operand of `id`, or the number of the line."""
        return " ".join(self.operations.get("id", [])) or f"line {self.line}"


def read_epd(text: str) -> list[EpdRecord]:
    """Read the records of a text; empty lines and those that begin with # are skipped."""
    records = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            records.append(_read_line(line.strip(), number))
    return records


def _read_line(line: str, number: int) -> EpdRecord:
    """Read one record.

    >>> _read_line('8/8/8/8/8/8/8/K1k5 w - - bm Ka2 Kb1; id "a; b";', 3).operations
    {'bm': ['Ka2', 'Kb1'], 'id': ['a; b']}
    """
    fields = _FIELDS.match(line)
    if fields is None:
        raise RecordError(f"line {number}: '{clip(line)}' does not begin with a position")
    operations: dict[str, list[str]] = {}
    place = fields.end()
    while line[place:].strip(" ;\t"):
        operation = _OPERATION.match(line, place)
        if operation is None:
            rest = clip(line[place:].strip())
            raise RecordError(f"line {number}: '{rest}' is not an operation such as bm Nf3;")
        name, operands = operation.groups()
        if name in operations:
            raise RecordError(f"line {number}: the operation '{clip(name)}' is given twice")
        operations[name] = [quoted or word for quoted, word in _OPERAND.findall(operands)]
        place = operation.end()
    return EpdRecord(fields[0], operations, number)
