"""Games in the browser: kept in a database, played by people and agents, open to spectators.

The server knows the protocol of games, but no single game. The path from a request to a game:

- ``command`` starts the server; ``web/`` is its HTTP API with the request guard, and ``page/`` the page.
- ``games/service`` creates, loads and lists games; ``live`` is a game in memory with its seats and viewers.
- ``games/playing`` changes a game and writes it to the ``store``; ``agent_runs`` plays for its agents.
- ``games/served_game`` holds the game and every viewer's frames; ``views`` writes them as JSON, ``streams`` sends them.
- ``thinking`` defines what a server asks of agents and what it offers; ``thinkers/`` asks agents in worker processes.
"""
