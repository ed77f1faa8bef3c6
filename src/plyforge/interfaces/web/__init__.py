"""Pages in the browser: play, analyse, search trees, stored results.

`app.py` puts them together.  Every page talks through one WebSocket (`socket.py`).  `incoming.py`
and `outgoing.py` define its messages; feature modules, such as `play.py`, have their handlers.
"""
