"""Searches that a master shares out, on the page for analysis."""

from typing import Any

from tests.interfaces.web.pages import FakePage

HOW = {"driver": "pvs", "preset": "exact"}


def share(page: FakePage, **fields: Any) -> list[dict[str, Any]]:
    """Start a shared search and receive what it sends until it is done."""
    message = {"game": "tictactoe", "how": HOW, "workers": 3, "seconds": 20.0, **fields}
    page.send(type="share", **message)
    found = []
    while (reply := page.receive("shared", "done"))["type"] == "shared":
        found.append(reply)
    return found


def workers_in(node: dict[str, Any]) -> set[int]:
    return set(node["workers"]).union(*map(workers_in, node["children"]))


def test_a_solved_game_ends_with_its_tree_and_workers(page: FakePage) -> None:
    *_, last = share(page, moves=["b2"])
    assert (last["last"], last["score"], last["proved"]) == (True, "0", True)
    assert last["ply"] == 1
    assert last["tree"]["move"] == ""
    assert last["tree"]["player"] == "O"
    texts = [child["move"] for child in last["tree"]["children"]]
    assert last["line"][0] in texts
    assert [worker["number"] for worker in last["workers"]] == [1, 2, 3]
    assert workers_in(last["tree"]) <= {1, 2, 3}
    assert sum(worker["nodes"] for worker in last["workers"]) == last["nodes"]


def test_bad_requests_are_answered_with_the_reason(page: FakePage) -> None:
    wrong = page.request("error", type="share", game="tictactoe", how=HOW, workers=0, seconds=1.0)
    assert "workers" in wrong["text"]
    threads = {**HOW, "threads": 2}
    wrong = page.request(
        "error", type="share", game="tictactoe", how=threads, workers=2, seconds=1.0
    )
    assert "each worker has one thread, not 2" in wrong["text"]
    over = ["a1", "a2", "b1", "b2", "c1"]
    wrong = page.request(
        "error", type="share", game="tictactoe", moves=over, how=HOW, workers=2, seconds=1.0
    )
    assert "nothing to search" in wrong["text"]
