"""Pictures as SVG text: boards, search trees, evaluations over a game.

Web pages and notebooks show the same SVG. It contains classes, but no styles or scripts. Colours
come from `drawing.css`: a page links to it, a standalone picture includes it.
"""
