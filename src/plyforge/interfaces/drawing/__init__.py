"""Pictures as SVG text: boards, search trees, evaluations over a game.

Pages and notebooks show the same text.  It holds classes, never styles or scripts; colours come
from `drawing.css`, which a page links to and a picture that stands alone brings along.
"""
