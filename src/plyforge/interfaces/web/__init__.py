"""Pages in the browser: play, analyse, look into a search, browse results.

`app.py` puts them together.  Every page talks through one WebSocket (`socket.py`), whose messages
are rows of tables: a schema and a handler (`schema.py`).
"""
