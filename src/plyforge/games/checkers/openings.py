"""Names of common openings, by the moves that lead to them."""

from typing import Final

OPENINGS: Final = {
    "9-13": "Edinburgh",
    "9-14": "Double Corner",
    "10-14": "Denny",
    "10-15": "Kelso",
    "10-15 23-18": "Kelso Cross",
    "11-15": "Old Faithful",
    "11-15 21-17": "Switcher",
    "11-15 22-17 15-19": "Dyke",
    "11-15 22-17 8-11 17-13 15-18": "Maid of the Mill",
    "11-15 22-18": "Single Corner",
    "11-15 23-18": "Cross",
    "11-15 23-19 8-11 22-17 3-8": "Alma",
    "11-15 23-19 8-11 22-17 4-8": "Old Fourteenth",
    "11-15 23-19 8-11 22-17 9-13": "Laird and Lady",
    "11-15 23-19 8-11 22-17 11-16": "Glasgow",
    "11-15 23-19 9-13": "Will o' the Wisp",
    "11-15 23-19 9-14 22-17 5-9": "Fife",
    "11-15 23-19 9-14 22-17 6-9": "Souter",
    "11-15 23-19 9-14 27-23": "Defiance",
    "11-15 24-19": "Second Double Corner",
    "11-15 24-20": "Ayrshire Lassie",
    "11-16": "Bristol",
    "11-16 23-18": "Bristol Cross",
    "12-16": "Dundee",
}
