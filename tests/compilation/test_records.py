"""Records: the same fields in machine code and uncompiled."""

import ctypes

import pytest

import plyforge
from plyforge.compilation.hooks_api import context_at
from plyforge.compilation.kernel import Kernel, build
from plyforge.compilation.records import (
    Fixed,
    Reals,
    Record,
    Records,
    Words,
    describe,
    extend,
    fields_of,
    plain_class,
    structure,
)
from plyforge.search.memory import Memory


class Item(Record):
    count: int
    weight: float


class Bag(Record):
    stop: int
    items: Records[Item]
    words: Words
    reals: Reals
    total: float


def fill(position, address):
    bag = context_at(address)
    for index in range(3):
        item = bag.items[index]
        item.count = index + 1
        item.weight = 0.5 * item.count
        bag.words[index] += item.count
        bag.reals[index] = item.weight
        bag.total += item.count * item.weight
    return bag.total


FILL = Kernel("fill", fill, "float64(position, address)", context=Bag)
game = plyforge.load("tictactoe")


@pytest.mark.parametrize("backend", ["compiled", "python"])
def test_a_kernel_reads_and_writes_fields(backend):
    memory = Memory(backend)
    bag, items = memory.record(Bag), memory.records(Item, 3)
    words, reals = memory.words(3), memory.reals(3)
    bag.items, bag.words = memory.address(items), memory.address(words)
    bag.reals = memory.address(reals)
    call = build(FILL, game.rules, game.position_type, backend).call
    assert call(game.initial(), memory.address(bag)) == 0.5 + 2.0 + 4.5
    assert bag.total == 7.0
    assert [(item.count, item.weight) for item in items] == [(1, 0.5), (2, 1.0), (3, 1.5)]
    assert list(words) == [1, 2, 3]
    assert list(reals) == [0.5, 1.0, 1.5]


class Limits(Record):
    stop: int
    limit: Fixed[int]
    total: int


def count_to_limit(position, address):
    limits = context_at(address)
    while limits.total < limits.limit:
        limits.total += 1
    return limits.total


def change_limit(position, address):
    context_at(address).limit = 3
    return 0


@pytest.mark.parametrize("backend", ["compiled", "python"])
def test_a_fixed_field_may_change_between_calls(backend):
    limits = Memory(backend).record(Limits)
    kernel = Kernel("count_to_limit", count_to_limit, "int64(position, address)", context=Limits)
    call = build(kernel, game.rules, game.position_type, backend).call
    for limits.limit in (5, 9):
        assert call(game.initial(), Memory(backend).address(limits)) == limits.limit


def test_a_kernel_cannot_assign_a_fixed_field():
    kernel = Kernel("change_limit", change_limit, "int64(position, address)", context=Limits)
    with pytest.raises(plyforge.PlyforgeError, match="'limit' cannot be assigned"):
        build(kernel, game.rules, game.position_type)


def test_additional_fields_come_last_and_change_the_description():
    longer = extend(Item, {"more": int})
    assert list(fields_of(longer)) == ["count", "weight", "more"]
    assert describe(longer) != describe(Item)
    assert ctypes.sizeof(structure(longer)) == ctypes.sizeof(structure(Item)) + 8


def test_an_unknown_field_is_an_error_in_both_forms():
    with pytest.raises(AttributeError):
        plain_class(Item)().wieght = 1.0
    bag = Kernel("wrong", misspelled, "int64(position, address)", context=Bag)
    with pytest.raises(plyforge.PlyforgeError, match="stpo"):
        build(bag, game.rules, game.position_type)


def misspelled(position, address):
    return context_at(address).stpo


def test_a_field_of_another_type_is_refused():
    with pytest.raises(TypeError, match=r"Wrong\.name: a record has no fields of type"):
        fields_of(type("Wrong", (Record,), {"__annotations__": {"name": str}}))


def total(position, address):
    return context_at(address).total


def test_a_field_with_a_value_is_a_constant_of_compiled_code():
    frozen = type("Bag", (Bag,), {"total": 3.5})
    kernel = Kernel("total", total, "float64(position, address)", context=frozen)
    memory = Memory("compiled")
    bag = memory.record(frozen)
    bag.total = 9.0
    call = build(kernel, game.rules, game.position_type).call
    assert call(game.initial(), memory.address(bag)) == 3.5
