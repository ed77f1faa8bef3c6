"""One search on several processes, which exchange messages: see docs/search/distributed.md."""
