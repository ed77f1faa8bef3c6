"""The results of a tuning: settings that can be pasted, and the match that tests them."""

import importlib
import shlex
import sys
from dataclasses import replace

import pytest

from plyforge.engine import Engine
from plyforge.engine.clock import Clock
from plyforge.games import load
from plyforge.match.openings import OpeningSource
from plyforge.match.players import MoveLimits, player
from plyforge.match.ratings import Sprt
from plyforge.match.referee import Adjudication, MatchRules
from plyforge.match.tuning import TunedParameter, TuningPlan
from plyforge.match.tuning.report import (
    confirmation,
    match_command,
    search_settings,
    search_text,
    values_table,
)

LMR = (
    TunedParameter("lmr-base", 0.5, -1.0, 3.0, 0.3),
    TunedParameter("lmr-moves", 3, 1, 9, 1.0, integer=True),
)
PLAN = TuningPlan(
    "connect4:5x4",
    "engine:preset=play,on=lmr,off=history,specialise=no,order=table+child-eval",
    LMR,
    limits=MoveLimits(nodes=60),
)
VALUES = (0.61804, 4.6)


def test_the_table_has_rounded_values():
    assert values_table(PLAN, VALUES).rows == (
        ("lmr-base", "0.5", "0.618", "0.61804", "-1 to 3", "0.3"),
        ("lmr-moves", "3", "5", "4.6", "1 to 9", "1"),
    )


def test_settings_give_the_options_of_the_tuned_player(monkeypatch):
    game = load("connect4:5x4")
    text = search_text(search_settings(game, PLAN, VALUES))
    names = {}
    exec(text, names)
    tuned = player(game, PLAN.describe_player(PLAN.round(VALUES)), PLAN.limits).options
    monkeypatch.setitem(game.rules.constants, "SEARCH", names["SEARCH"])
    options = Engine(game, preset="play").options
    assert options.switches == tuned.switches
    assert options.settings == {
        name: value for name, value in tuned.settings.items() if name != "specialise"
    }
    assert not Engine(game, preset="exact").options.has("lmr")


def test_long_settings_are_written_on_several_lines():
    settings = {f"parameter-{number}": number for number in range(8)}
    search = {"on": ["a", "b"], "play": {"off": ["switch"] * 12, "set": settings}, "set": {}}
    search["exact"] = {"set": {"order": ("table",)}}
    names = {}
    text = search_text(search)
    exec(text, names)
    assert names["SEARCH"] == search
    assert max(map(len, text.splitlines())) < 90
    assert '    "on": ["a", "b"],\n' in text


def test_settings_of_a_printed_preset_are_not_for_a_game(monkeypatch):
    plan = replace(PLAN, player="engine:preset=koneru,on=lmr")
    assert search_settings(load("connect4"), plan, VALUES) is None


def test_the_command_plays_the_match(monkeypatch):
    plan = replace(
        PLAN,
        limits=MoveLimits(clock=Clock(10.0, 0.1, 2.0)),
        rules=MatchRules(99, Clock(10.0, 0.1, 2.0), adjudication=Adjudication(0.9, 0.01)),
    )
    match = confirmation(load(plan.game), plan, VALUES, 40, Sprt(0, 20, 0.1, 0.1))
    words = shlex.split(match_command(match, "my file.db"))
    assert words[-1] == "my file.db"
    module = importlib.import_module("plyforge.interfaces.cli.match")
    seen = []
    monkeypatch.setattr(module, "run", lambda plan, *rest: seen.append(plan) or 0)
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit):
        importlib.import_module("plyforge.interfaces.cli").main()
    assert seen == [match]
    assert match.names == ["tuned", "start"]
    assert match.seed != plan.seed


def test_there_is_no_match_where_nothing_changed():
    values = (0.5, 3.3)
    assert confirmation(load(PLAN.game), PLAN, values, 40, Sprt(0, 20)) is None


def test_the_match_has_no_more_games_than_openings_allow():
    plan = replace(PLAN, openings=OpeningSource("random", 1))
    match = confirmation(load(PLAN.game), plan, VALUES, 2000, Sprt(0, 20))
    assert match.games == 10
