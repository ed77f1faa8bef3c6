import plyforge
from plyforge.engine.pool import MAX_IDLE, EnginePool


def _make() -> plyforge.Engine:
    return plyforge.Engine("tictactoe", hash=1)


def test_an_idle_engine_is_lent_again_for_its_key_only() -> None:
    pool = EnginePool()
    with pool.borrow("a", _make) as first:
        pass
    with pool.borrow("b", _make) as other, pool.borrow("a", _make) as again:
        assert other is not first
        assert again is first
        with pool.borrow("a", _make) as second:
            assert second is not first


def test_the_engine_that_was_idle_longest_is_dropped() -> None:
    pool = EnginePool()
    with pool.borrow(0, _make) as first:
        pass
    for key in range(1, MAX_IDLE + 1):
        with pool.borrow(key, _make):
            pass
    with pool.borrow(0, _make) as again:
        assert again is not first
