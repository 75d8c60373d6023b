"""Games in the browser: kept in a database, played by people and agents, watched by anybody.

It knows the protocol of games, never a game. From a request to a game:

- ``command`` starts the server; ``web/`` is its HTTP API, with the guard, and ``page/`` the page.
- ``games/service`` creates, loads and lists games; ``live`` is one in memory, with seats and those who look on.
- ``games/playing`` changes a game and writes it to the ``store``; ``agent_runs`` lets its agents play.
- ``games/served_game`` is the game with the frames of every viewer; ``views`` writes that as JSON, ``streams`` send it.
- ``thinking`` says what a server asks of agents and offers to play; ``thinkers/`` asks them in worker processes.
"""
