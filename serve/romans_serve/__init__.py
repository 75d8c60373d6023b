"""Games in the browser: kept in a database, played by people and agents, open to spectators.

The server uses the common protocol of games and has no code for any particular game. A request passes through these
modules on its way to a game:

- ``command`` starts the server; ``web/`` is its HTTP API with the request guard, and ``page/`` the web page.
- ``games/service`` creates, loads and lists games; ``games/live`` is a game in memory with its seats and viewers.
- ``games/playing`` changes a game and writes it to ``games/store``; ``games/agent_runs`` plays for its agents.
- ``games/served_game`` holds the game and the frames, the steps of the game as each viewer sees them. ``games/views``
  writes frames as JSON, and ``games/streams`` sends them.
- ``thinking`` is the interface of the server to agents; ``thinkers/`` implements it with worker processes.
"""
