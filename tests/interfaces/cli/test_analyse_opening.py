"""`plyforge analyse` prints the name of the opening."""

FAST = ("--depth", "1", "--backend", "python")


def test_the_opening_is_printed(plyforge):
    words = ("analyse", "checkers", "--moves", "11-15 24-20", *FAST)
    assert "opening Ayrshire Lassie" in plyforge(*words).out
    assert plyforge(*words, "--json").json["opening"] == "Ayrshire Lassie"
    assert "opening" not in plyforge("analyse", "tictactoe", *FAST, "--json").json
